import { compareText } from '../domain/diagnostic.ts';
import type { Folded } from './fold.ts';
import { FreeNames, slugOf } from './file-names.ts';
import { isForm, type Form, type Plain } from './form.ts';
import { belongsInTextFile } from './texts.ts';

/** One file to write. */
export interface NewFile {
  /** Path in the workspace, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** The content of a new resource file, with its text files. */
export interface PlannedFile {
  readonly path: string;
  /** The file's own `accounts:`. */
  readonly accounts: readonly string[];
  readonly resources: readonly Folded[];
  readonly texts: readonly NewFile[];
}

/** Name of the file for resources of several accounts. */
const SHARED = 'shared';

/**
 * Plans one file per account and one for shared resources, below `out`. `isTaken` tells which paths cannot be used
 * for texts. The caller checks for existing resource files.
 */
export function planFiles(
  folded: readonly Folded[],
  out: string,
  isTaken: (path: string) => boolean,
): readonly PlannedFile[] {
  const byFile = new Map<string, Folded[]>();
  for (const resource of folded) {
    const owner = ownerOf(resource);
    const group = byFile.get(owner) ?? [];
    byFile.set(owner, group);
    group.push(resource);
  }
  const names = new FreeNames(() => false);
  const texts = new FreeNames(isTaken);
  // The shared file keeps its name, even if an account has the same name.
  const owners = [...byFile.keys()].toSorted((left, right) => compareText(left, right));
  return owners.map((owner) => {
    const name = names.take(`${out}/`, owner === '' ? SHARED : owner, '.yaml');
    const resources = byFile.get(owner) ?? [];
    return planFile(`${out}/${name}.yaml`, name, resources, texts);
  });
}

function ownerOf({ accounts }: Folded): string {
  const [only, second] = accounts;
  return second === undefined ? (only ?? '') : '';
}

function planFile(path: string, name: string, resources: readonly Folded[], names: FreeNames): PlannedFile {
  const texts: NewFile[] = [];
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const placed = resources.map((resource) => {
    const form = withTextFiles(resource, (text, index) => {
      const below = `messages/${name}/`;
      const word = names.take(
        `${folder}${below}`,
        `${slugOf(resource.name, resource.kind)}-${index + 1}`,
        '.md',
      );
      const reference = `${below}${word}.md`;
      texts.push({ path: `${folder}${reference}`, text: `${text}\n` });
      return reference;
    });
    return { ...resource, form };
  });
  return { path, accounts: usualAccounts(resources), resources: placed, texts };
}

/** Moves long texts to files. `place` stores a text and returns its reference. */
function withTextFiles({ form }: Folded, place: (text: string, index: number) => string): Form {
  const { messages } = form;
  if (!isList(messages)) return form;
  const moved = messages.map((message, index): Plain => {
    if (!isForm(message) || typeof message['text'] !== 'string' || !belongsInTextFile(message['text']))
      return message;
    const { text, ...rest } = message;
    return { text_file: place(text, index), ...rest };
  });
  return { ...form, messages: moved };
}

/** The most frequent accounts in a file, so that few resources need their own. */
function usualAccounts(resources: readonly Folded[]): readonly string[] {
  const counts = new Map<string, { readonly accounts: readonly string[]; count: number }>();
  for (const { accounts } of resources) {
    const key = accounts.join(' ');
    const known = counts.get(key) ?? { accounts, count: 0 };
    counts.set(key, known);
    known.count += 1;
  }
  return [...counts.values()].toSorted((left, right) => right.count - left.count)[0]?.accounts ?? [];
}

function isList(value: Plain | undefined): value is readonly Plain[] {
  return Array.isArray(value);
}
