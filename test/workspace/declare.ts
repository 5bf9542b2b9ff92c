import type { Diagnostic } from '../../src/domain/diagnostic.ts';
import type { Declared } from '../../src/domain/resource.ts';
import { loadDeclared, type Loaded } from '../../src/workspace/load.ts';
import { memoryFiles, type FileTree } from './memory-files.ts';

/** A workspace with two accounts and a group; tests replace the line that they are about. */
export const WORKSPACE = `version: 1
service: { simulator: .herald/world.json }
accounts:
  alice: { id: "101", vars: { first_name: Alice, photo: "55" } }
  bob: { id: "102", vars: { first_name: Bob } }
groups: { vip: [alice, bob] }
`;

/** A campaign on alice without a fault. */
export const CAMPAIGN = `accounts: [alice]
campaigns:
  - name: Hello
    trigger: welcome_message
    action: send_message
    audience: everyone
    messages: [{ text: Hi }]
`;

/** A broadcast on alice without a fault. */
export const BROADCAST = `accounts: [alice]
broadcasts:
  - name: News
    scheduled_at: "2030-11-05T18:00Z"
    audience: everyone
    messages: [{ text: Hi }]
`;

/** Loads a tree; `herald.yaml` is the usual workspace unless the tree has its own. */
export function load(tree: FileTree, env: Record<string, string> = {}): Promise<Loaded> {
  return loadDeclared(memoryFiles({ 'herald.yaml': WORKSPACE, ...tree }), { env });
}

export async function diagnose(
  tree: FileTree,
  env: Record<string, string> = {},
): Promise<readonly Diagnostic[]> {
  const loaded = await load(tree, env);
  return loaded.kind === 'loaded' ? loaded.warnings : loaded.diagnostics;
}

/** `file:line:column: code`, with the severity before warnings. */
export async function places(tree: FileTree, env: Record<string, string> = {}): Promise<string[]> {
  return (await diagnose(tree, env)).map(
    ({ severity, file, line, column, code }) =>
      `${severity === 'error' ? '' : `${severity} `}${file}:${line}:${column}: ${code}`,
  );
}

/** What one resource file gives, called `a.yaml`; next to it lies `hi.md`. */
export async function placesIn(text: string): Promise<string[]> {
  const lines = await places({ 'campaigns/a.yaml': text, 'campaigns/hi.md': 'Hi' });
  return lines.map((line) => line.replace('campaigns/', ''));
}

/** What one workspace file gives next to a faultless campaign. */
export function placesInWorkspace(text: string, env: Record<string, string> = {}): Promise<string[]> {
  return places({ 'herald.yaml': text, 'campaigns/a.yaml': CAMPAIGN }, env);
}

/** The messages of all diagnostics, in order. */
export async function messagesOf(tree: FileTree): Promise<string> {
  return (await diagnose(tree)).map(({ message }) => message).join('\n');
}

export async function declaredIn(
  tree: FileTree,
  env: Record<string, string> = {},
): Promise<readonly Declared[]> {
  const loaded = await load(tree, env);
  if (loaded.kind === 'loaded') return loaded.declared;
  throw new Error(JSON.stringify(loaded.diagnostics));
}

/** The digest of a tree that loads. */
export async function digestOf(tree: FileTree): Promise<string> {
  const loaded = await load(tree);
  if (loaded.kind === 'loaded') return loaded.workspace.digest();
  throw new Error(JSON.stringify(loaded.diagnostics));
}

/** The rows of a table that is written as lines: `what is written → what is reported`. */
export function rowsOf(table: string): readonly (readonly [string, string])[] {
  const lines = table.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const [written = '', reported = ''] = line.split(/ →(?: |$)/);
      return [written, reported];
    });
}

/** A campaign without a fault, with one of its lines written in another way. */
export const CAMPAIGN_WITH = {
  rules: (rules: string) => CAMPAIGN.replace('    audience', `    rules: { ${rules} }\n    audience`),
  filter: (filter: string) => CAMPAIGN.replace('audience: everyone', `audience_filters: [{ ${filter} }]`),
  message: (message: string) => CAMPAIGN.replace('{ text: Hi }', `{ ${message} }`),
  name: (name: string) => CAMPAIGN.replace('Hello', name),
};
