import { compareText } from '../domain/diagnostic.ts';
import type { AccountId, LiveId } from '../domain/ids.ts';
import type { Files } from '../domain/ports.ts';
import type { Kind } from '../domain/resource.ts';
import { EditableFile, type Edit, type Place } from './editable-file.ts';
import type { NewFile, PlannedFile } from './layout.ts';
import type { ImportReport } from './shape.ts';

/** A live object with its name in the files. */
export interface LiveObject {
  readonly account: string;
  readonly accountId: AccountId;
  readonly kind: Kind;
  readonly name: string;
  readonly liveId: LiveId;
  /** True if its audience is not the one that Herald sent. */
  readonly changed: boolean;
}

/** The update of one declared resource. */
export interface ResourceUpdate {
  readonly file: string;
  readonly place: Place;
  readonly edits: readonly Edit[];
  /** Texts in their own files. */
  readonly texts: readonly NewFile[];
  /** `account/kind/name`, one per account. */
  readonly addresses: readonly string[];
  /** Its live objects. */
  readonly objects: readonly LiveObject[];
  readonly report: ImportReport['updated'];
  readonly toComplete: ImportReport['to_complete'];
}

interface Changed extends NewFile {
  /** Number of resources that were changed or added. */
  readonly resources: number;
}

/** Collects the changes of existing files, and reads each file once. */
export class FileEdits {
  readonly #files: Files;
  readonly #open = new Map<string, { readonly file: EditableFile; resources: number }>();
  readonly #texts = new Map<string, string>();

  constructor(files: Files) {
    this.#files = files;
  }

  async update({ file, place, edits, texts }: ResourceUpdate): Promise<void> {
    for (const { path, text } of texts) this.#texts.set(path, text);
    if (edits.length === 0) return;
    const opened = await this.#read(file);
    opened.file.apply(place, edits);
    opened.resources += 1;
  }

  async append(planned: PlannedFile): Promise<void> {
    const opened = await this.#read(planned.path);
    opened.file.append(planned);
    opened.resources += planned.resources.length;
  }

  end(): readonly Changed[] {
    const resources = [...this.#open].map(([path, { file, resources: count }]) => ({
      path,
      text: file.toText(),
      resources: count,
    }));
    const texts = [...this.#texts].map(([path, text]) => ({ path, text, resources: 0 }));
    return [...resources, ...texts].toSorted((left, right) => compareText(left.path, right.path));
  }

  async #read(path: string): Promise<{ readonly file: EditableFile; resources: number }> {
    const known = this.#open.get(path);
    if (known !== undefined) return known;
    const opened = { file: new EditableFile(await this.#files.readText(path)), resources: 0 };
    this.#open.set(path, opened);
    return opened;
  }
}
