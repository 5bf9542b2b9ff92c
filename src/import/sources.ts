import type { YAMLMap } from 'yaml';
import type { Files } from '../domain/ports.ts';
import type { Declared, SourcePlace } from '../domain/resource.ts';
import type { Subject } from '../engine/look.ts';
import { Report } from '../workspace/findings.ts';
import type { LoadOptions } from '../workspace/load.ts';
import { resolveInside } from '../workspace/outside.ts';
import { readWorkspace } from '../workspace/workspace.ts';
import type { NewFile } from './draft.ts';
import { ResourceFile, survivesFile } from './resource-file.ts';
import type { TextWriter } from './update-resource.ts';

/** The resource files as written, with their text files. */
export interface Sources {
  /** A copy to change. Null if YAML anchors or aliases share it with another resource. */
  copy(place: SourcePlace): YAMLMap | null;
  /** The writer for texts of one declared resource, and the files that it makes. */
  writerFor(declared: Declared): { readonly writer: TextWriter; readonly texts: readonly NewFile[] };
}

const WORKSPACE_FILE = 'herald.yaml';

/** Reads all resource files again, because any of them may use a text file. */
export async function openSources(
  files: Files,
  env: LoadOptions['env'],
  { workspace }: Pick<Subject, 'workspace'>,
): Promise<Sources> {
  const text = await files.readText(WORKSPACE_FILE);
  const { directory } = readWorkspace(WORKSPACE_FILE, text, env, new Report());
  const opened = new Map<string, ResourceFile>();
  const uses = new Map<string, number>();
  const texts = new Map<string, string>();
  for (const path of workspace.files) {
    const file = new ResourceFile(await files.readText(path));
    opened.set(path, file);
    for (const reference of file.listTextFiles()) {
      const target = resolveInside(path, reference) ?? '';
      uses.set(onDisk(target), (uses.get(onDisk(target)) ?? 0) + 1);
      if (!texts.has(target)) texts.set(target, await files.readText(target));
    }
  }
  return {
    copy: (source) => opened.get(source.file)?.copy(source) ?? null,
    writerFor: ({ address, source }) => {
      const variables = directory?.accounts.get(address.account) ?? new Map<string, string>();
      const made: NewFile[] = [];
      const write = (written: string, live: string) => putBackVariables(written, live, variables);
      const intoFile = (reference: string, live: string) => {
        const path = resolveInside(source.file, reference) ?? '';
        const changed = write(texts.get(path) ?? '', live);
        // Do not change a text file that several messages use.
        if (uses.get(onDisk(path)) !== 1 || !survivesFile(changed)) return false;
        made.push({ path, text: `${changed}\n` });
        return true;
      };
      return { writer: { write, intoFile }, texts: made };
    },
  };
}

/** One key for all spellings of a file. Some disks ignore case, and some normalise letters. */
function onDisk(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

const PLACEHOLDER = /(?<!\\)\{\{\s*([A-Za-z_]\w*)\s*\}\}/g;

/**
 * Puts the variables of the written text back into the live text, where their values occur. Filling them in gives the
 * live text again.
 */
export function putBackVariables(
  written: string,
  live: string,
  variables: ReadonlyMap<string, string>,
): string {
  const used = new Set([...written.matchAll(PLACEHOLDER)].map((match) => match[1] ?? ''));
  const values = [...used]
    .map((name) => ({ name, value: variables.get(name) ?? '' }))
    .filter(({ value }) => value !== '' && !value.includes('{{'))
    .toSorted((left, right) => right.value.length - left.value.length);
  if (values.length === 0) return live;
  const anyValue = new RegExp(values.map(({ value }) => escaped(value)).join('|'), 'g');
  return live.replace(anyValue, (found, offset: number) => {
    // After a backslash, the braces would be literal.
    if (live[offset - 1] === '\\') return found;
    const name = values.find(({ value }) => value === found)?.name ?? '';
    return `{{${name}}}`;
  });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
