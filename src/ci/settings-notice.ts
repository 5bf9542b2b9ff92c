import type { Repository } from '../domain/git.ts';
import { markdownCode, markdownName } from '../render/markdown-escape.ts';
import { accountNotices, type AccountsToReview } from './account-notices.ts';
import { settingChanges, type SettingChange } from './setting-changes.ts';

/** Characters of the elements of one list. The settings themselves are always named. */
const LIST_MAX = { loosens: 4_000, tightens: 400 };

/** Characters of one value. A longer one is shown from where it begins to differ. */
const VALUE_MAX = 1_000;
const BEFORE_DIFFERENCE = 40;

/** What a reviewer has to know of `herald.yaml` first: settings and accounts that differ from those of the base commit. */
export async function workspaceNotices(
  repository: Repository,
  base: string,
  about: AccountsToReview,
): Promise<readonly string[]> {
  const file = await repository.fileAt(base, 'herald.yaml');
  if (file.kind === 'irregular') return [NOT_COMPARED, ...accountNotices(about.head, about)];
  const text = file.kind === 'regular' ? file.text : null;
  return [...settingsNotices(text, about.head), ...accountNotices(text, about)];
}

const NOT_COMPARED =
  '> **The settings and accounts of the workspace are not compared,** because `herald.yaml` of the base, or a folder above it, is a link or a submodule. The apply job will refuse this.';

function settingsNotices(base: string | null, head: string): readonly string[] {
  const changes = settingChanges(base, head);
  if (changes.length === 0) return [];
  return [
    [
      '> **This changes the settings of the workspace,** what may loosen a rule first:',
      ...changes.map(itemOf),
    ].join('\n'),
  ];
}

function itemOf({ path, removed, added, line, loosens }: SettingChange): string {
  const [before, after] = [removed[0], added[0]];
  const isOne = before !== undefined && after !== undefined && removed.length + added.length === 2;
  const space = loosens ? LIST_MAX.loosens : LIST_MAX.tightens;
  const words = isOne
    ? `from ${valueOf(before, after)} to ${valueOf(after, before)}`
    : [listOf('removed', removed, space), listOf('added', added, space)]
        .filter((part) => part !== '')
        .join('; ');
  return `> - ${markdownName(path)} ${words} (line ${line})`;
}

function listOf(verb: string, values: readonly string[], space: number): string {
  if (values.length === 0) return '';
  let left = space;
  const named = values.filter((value) => (left -= Math.min(value.length, VALUE_MAX)) >= 0);
  const more = values.length - named.length;
  const words = named.map((value) => valueOf(value, '')).join(', ');
  return `${verb} ${words}${more === 0 ? '' : `${words === '' ? '' : ' and '}${more} more`}`;
}

function valueOf(value: string, other: string): string {
  if (value.length <= VALUE_MAX) return markdownCode(value);
  let same = 0;
  while (value[same] === other[same]) same += 1;
  const from = Math.max(0, same - BEFORE_DIFFERENCE);
  const shown = value.slice(from, from + VALUE_MAX);
  const begin = from === 0 ? '' : '… ';
  const end = from + VALUE_MAX < value.length ? ' …' : '';
  return `${begin}${markdownCode(shown)}${end} (${value.length} characters)`;
}
