import { join } from 'node:path';
import { measure, type Usage } from './process.ts';

/** The cheapest way to parse files with `yaml` as it is published: one after the other, and nothing is kept. */
const PARSE = `
const { readdirSync, readFileSync } = require('node:fs');
const { parse } = require(${JSON.stringify(join(process.cwd(), 'node_modules/yaml'))});
const folder = process.argv[1];
for (const file of readdirSync(folder)) parse(readFileSync(folder + '/' + file, 'utf8'));
`;

/** Bare `yaml` on every file of a folder, in a process of its own. */
export function parseBarely(folder: string): Promise<Usage> {
  return measure(['-e', PARSE, folder]);
}
