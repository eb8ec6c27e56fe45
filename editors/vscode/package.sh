#!/bin/sh
# Compiles the extension into one file, tries it on the server, and packs it as arsg.vsix.
#   ARSG=/path/to/arsg ./package.sh
set -eu
cd "$(dirname "$0")"
npm ci --no-audit --no-fund
npm run --silent compile
node test/drive.js
npx esbuild src/extension.ts --bundle --minify --platform=node --external:vscode --outfile=out/extension.js --log-level=warning --allow-overwrite
npx vsce package --no-dependencies --allow-missing-repository --skip-license --out arsg.vsix
