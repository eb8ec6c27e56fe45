#!/bin/sh
# Posts a comment on a pull request, or updates the one that was posted before.
#
#   action/post.sh REPOSITORY NUMBER FILE        needs `gh` and GH_TOKEN
set -eu
repository=$1 number=$2 file=$3
marker='<!-- arsg-review -->'
own=$(gh api --paginate "repos/$repository/issues/$number/comments" \
  --jq ".[] | select(.body | startswith(\"$marker\")) | .id" | head -1)
if [ -n "$own" ]; then
  gh api --method PATCH "repos/$repository/issues/comments/$own" --field body=@"$file" > /dev/null
else
  gh api --method POST "repos/$repository/issues/$number/comments" --field body=@"$file" > /dev/null
fi
