#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# logger.pl FILE EVERY MICROSECONDS [LOCK]: writes 1,000 records to FILE, each after MICROSECONDS of
# work, and syncs it after each EVERY of them. At the end it needs LOCK, which another program,
# rotate, has for 5 ms.
use strict;
use warnings;
use Fcntl qw(:flock);
use IO::Handle;
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC usleep);

my ($path, $every, $work, $lock) = @ARGV;

sub work {
	my $end = clock_gettime(CLOCK_MONOTONIC) + $_[0] / 1e6;
	1 while clock_gettime(CLOCK_MONOTONIC) < $end;
}

sub take {
	open(my $held, '>', $lock) or die "$lock: $!";
	flock($held, LOCK_EX) or die "flock: $!";
	return $held;
}

# Returns when it has the lock.
sub start_rotate {
	pipe(my $from, my $to) or die "pipe: $!";
	if (!fork) {
		$0 = 'rotate';
		my $held = take();
		close $to;
		usleep(5000);
		exit;
	}
	close $to;
	readline $from;
}

$0 = 'logger';
open(my $file, '>', $path) or die "$path: $!";
for my $record (1 .. 1000) {
	work($work);
	print $file "$record " . ('x' x 500) . "\n";
	$file->flush;
	$file->sync if $record % $every == 0;
	usleep(1000) if $record % 100 == 0;
}
if ($lock) {
	start_rotate();
	take();
	wait;
}
