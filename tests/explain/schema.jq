# Whether the value fits a JSON Schema, as far as `ftwait schema` uses it: jq --slurpfile schema FILE -f.
# Prints the paths that do not.
def is_of($wanted):
	if $wanted == "integer" then type == "number" and . == floor
	else type == $wanted end;
def wrong($schema; $path):
	. as $value |
	(select(any($schema.type[]; . as $wanted | $value | is_of($wanted)) | not) | $path),
	(select($schema | has("const")) | select($value != $schema.const) | $path),
	(select($schema | has("enum")) | select(any($schema.enum[]; . == $value) | not) | $path),
	(select(type == "object") |
		($schema.required // [])[] as $key | select($value | has($key) | not) | "\($path).\($key)"),
	(select(type == "object") | ($schema.properties // {}) | to_entries[] as {$key, value: $of} |
		select($value | has($key)) | $value[$key] | wrong($of; "\($path).\($key)")),
	(select(type == "array" and ($schema | has("items"))) | .[] | wrong($schema.items; "\($path)[]"));
wrong($schema[0]; "")
