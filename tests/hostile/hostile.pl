# SPDX-License-Identifier: GPL-2.0-or-later
# hostile.pl FOLDER TRACE_MARKER: processes that call themselves what harms, and wait for each other;
# one executes what has such a name in FOLDER.
use strict;
use warnings;

my ($folder, $marker) = @ARGV;
my @names = ("\e]0;owned\a", "</script><img>", "=cmd|'/C a'!A", "\xff\xfe\xc3(\n;x", "\xe2\x80\xaegpj.exe",
	"\"',\\\t%s", "-->]]>&amp;<b>", "\@SUM(1)", "\xc2\x9b31m", " ", "");
open my $marks, '>', $marker or die "$marker: $!";
for my $name (@names) {
	syswrite $marks, "$name</script><script>alert(1)</script>\e[2J";
	my $child = fork;
	if (!$child) {
		$0 = $name; # perl makes it the task's name, too
		select undef, undef, undef, 0.005;
		exit;
	}
	waitpid $child, 0;
}
opendir my $files, $folder or die "$folder: $!";
for (grep { /^\e/ } readdir $files) {
	system {"$folder/$_"} $_;
}
