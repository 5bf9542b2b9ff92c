import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function accountIdOf(index: number): string {
  return String(1000 + index);
}

export function aliasOf(index: number): string {
  return `a${accountIdOf(index)}`;
}

/** A `herald.yaml` over so many accounts; without further settings as anybody would write it. */
export function workspaceText(accounts: number, settings: Readonly<Record<string, number>> = {}): string {
  const lines = Array.from(
    { length: accounts },
    (_, index) => `  ${aliasOf(index)}: { id: "${accountIdOf(index)}" }`,
  );
  const service = JSON.stringify({ base_url: 'http://127.0.0.1:1', ...settings });
  return `version: 1\nservice: ${service}\naccounts:\n${lines.join('\n')}\nfiles: ["live/**/*.yaml"]\n`;
}

export function writeFiles(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
}
