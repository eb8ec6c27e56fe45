#!/usr/bin/env bash
# The workbench in real Chromium. Installs what is missing, and skips with a loud line only where no browser can
# be had. ARSG names the binary, CHROMIUM the browser, ARSG_KILLS how often the server is killed.
set -uo pipefail
cd "$(dirname "$0")"
skip() {
    echo "==== THE BROWSER TESTS WERE SKIPPED: $1 ====" >&2
    exit 0
}
command -v node > /dev/null || skip "there is no node"
export CHROMIUM="${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}"
if [ -z "$CHROMIUM" ]; then
    (apt-get update -qq && apt-get install -y -qq chromium fonts-noto-cjk) > /dev/null 2>&1
    CHROMIUM="$(command -v chromium || true)"
fi
[ -n "$CHROMIUM" ] || skip "there is no Chromium, and none could be installed"
if [ ! -d node_modules/playwright-core ] || [ ! -d node_modules/axe-core ]; then
    npm ci --silent --no-audit --no-fund || skip "npm could not install playwright-core and axe-core"
fi
export ARSG="${ARSG:-$(cd ../.. && pwd)/target/debug/arsg}"
[ -x "$ARSG" ] || { echo "there is no $ARSG; build it first" >&2; exit 1; }
if [ $# -gt 0 ]; then exec node --test --test-concurrency=1 "$@"; fi
exec node --test --test-concurrency=1 workbench.test.mjs speed.test.mjs kill.test.mjs
