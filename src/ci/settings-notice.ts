import type { Repository } from '../domain/git.ts';
import { markdownName } from '../render/markdown-escape.ts';
import { settingChanges, type SettingChange } from './setting-changes.ts';

/** More settings make a notice hard to read. */
const SETTINGS_MAX = 10;

/** The notice about settings of the service and the policy that differ from those of a commit. Empty if none does. */
export async function settingsNotices(
  repository: Repository,
  base: string,
  head: string | null,
): Promise<readonly string[]> {
  const tree = await repository.treeOf(base);
  try {
    return noticesFor(settingChanges(await tree.files.readText('herald.yaml').catch(() => null), head));
  } finally {
    tree.close();
  }
}

function noticesFor(changes: readonly SettingChange[]): readonly string[] {
  if (changes.length === 0) return [];
  const words = changes.slice(0, SETTINGS_MAX).map(wordsOf).join('; ');
  const more = changes.length > SETTINGS_MAX ? `; and ${changes.length - SETTINGS_MAX} more` : '';
  return [`> **This changes the settings of the workspace:** ${words}${more}.`];
}

function wordsOf({ path, before, after, line }: SettingChange): string {
  const from = before === null ? '' : ` from ${markdownName(before)}`;
  const to = after === null ? ' to nothing' : ` to ${markdownName(after)}`;
  return `${markdownName(path)}${from}${to} (line ${line})`;
}
