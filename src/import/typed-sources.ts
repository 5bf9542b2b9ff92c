import type { Files } from '../domain/ports.ts';
import type { Declared, SourcePlace } from '../domain/resource.ts';
import type { Subject } from '../engine/look.ts';
import type { LoadOptions } from '../workspace/load.ts';
import { Report } from '../workspace/findings.ts';
import { resolveInside } from '../workspace/outside.ts';
import { readWorkspace } from '../workspace/workspace.ts';
import { EditableFile } from './editable-file.ts';
import { isForm, type Typed } from './form.ts';
import type { NewFile } from './layout.ts';
import type { MessageWriter } from './message-edits.ts';
import { survivesFile } from './texts.ts';
import { putBackVariables } from './variables-back.ts';

/** The resource files as written, with their text files. */
export interface Sources {
  /** Null if YAML anchors or aliases share it with another resource. */
  typed(place: SourcePlace): Typed | null;
  /** The writer for texts of one declared resource, and the files that it makes. */
  writerFor(declared: Declared): { readonly writer: MessageWriter; readonly texts: readonly NewFile[] };
}

const WORKSPACE_FILE = 'herald.yaml';

/** Reads all resource files again, because any of them may use a text file. */
export async function openSources(
  files: Files,
  env: LoadOptions['env'],
  { workspace }: Pick<Subject, 'workspace'>,
): Promise<Sources> {
  const { directory } = readWorkspace(
    WORKSPACE_FILE,
    await files.readText(WORKSPACE_FILE),
    env,
    new Report(),
  );
  const opened = new Map<string, EditableFile>();
  const uses = new Map<string, number>();
  const texts = new Map<string, string>();
  for (const path of workspace.files) {
    const file = new EditableFile(await files.readText(path));
    opened.set(path, file);
    for (const reference of file.all().flatMap(referencesIn)) {
      const target = resolveInside(path, reference) ?? '';
      uses.set(onDisk(target), (uses.get(onDisk(target)) ?? 0) + 1);
      if (!texts.has(target)) texts.set(target, await files.readText(target));
    }
  }
  return {
    typed: ({ file, line, column }) => opened.get(file)?.read({ line, column }) ?? null,
    writerFor: ({ address, source }) => {
      const variables = directory?.accounts.get(address.account) ?? new Map<string, string>();
      const made: NewFile[] = [];
      const write = (typed: string, live: string) => putBackVariables(typed, live, variables);
      const intoFile = (reference: string, live: string) => {
        const path = resolveInside(source.file, reference) ?? '';
        const text = write(texts.get(path) ?? '', live);
        // Do not change a text file that several messages use.
        if (uses.get(onDisk(path)) !== 1 || !survivesFile(text)) return false;
        made.push({ path, text: `${text}\n` });
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

function referencesIn(resource: unknown): readonly string[] {
  const messages = isForm(resource) ? resource['messages'] : null;
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message: unknown) =>
    isForm(message) && typeof message['text_file'] === 'string' ? [message['text_file']] : [],
  );
}
