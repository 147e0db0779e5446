/** What anybody can type to check a log by hand: docs/audit.md prints it, and a test runs it. */

/** For sh, in the directory of the log; prints what does not hold, and nothing where all does. */
export const auditCheckByHand = `before=$(printf '%064d' 0)
for file in $(ls log.*-*.jsonl 2>/dev/null | sort -t. -k2 -n) log.jsonl; do
  number=0
  while IFS= read -r line; do
    number=$((number + 1))
    hash=\${line##*,\\"hash\\":\\"}
    hash=\${hash%\\"\\}}
    made=$(printf '%s}' "\${line%,\\"hash\\":*}" | sha256sum | cut -c 1-64)
    case $line in
      *",\\"prev\\":\\"$before\\","*) test "$made" = "$hash" || echo "$file:$number: hash" ;;
      *) echo "$file:$number: prev" ;;
    esac
    before=$hash
  done < "$file"
done
`;
