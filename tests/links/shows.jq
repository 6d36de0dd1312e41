# Of each report, "FILE <tab> WHY": why it does not show what is expected of it, by the name of its file; nothing
# if it does.
def has_rows: [.. | arrays | select(length > 0 and (.[0] | type) == "object")] != [];
($expected[0][input_filename | sub(".*/"; "")]) as $of | del(.trace, .health) |
	(if has_rows | not then "no rows"
	elif $of.tids + $of.names == [] then empty
	elif [.. | objects | .tid? | numbers] | any(. as $tid | $of.tids | index($tid)) then empty
	elif [.. | strings] | any(. as $text | $of.names | any(. as $name | $text | contains($name))) then empty
	else "nothing of \($of | tojson)" end) | "\(input_filename | sub(".*/"; ""))\t\(.)"
