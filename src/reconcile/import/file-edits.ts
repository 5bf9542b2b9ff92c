import { compareText } from '../../domain/diagnostic.ts';
import type { Files } from '../../domain/ports.ts';
import type { Kind } from '../../domain/resource.ts';
import { EditableFile, type Edit, type Place } from '../../import/editable-file.ts';
import type { NewFile, PlannedFile } from '../../import/layout.ts';
import type { ImportReport } from '../../import/shape.ts';

/** A live object under the name that files have for it. */
export interface LiveObject {
  readonly account: string;
  readonly accountId: string;
  readonly kind: Kind;
  readonly name: string;
  readonly liveId: string;
  /** Whether its audience is no longer the one that Herald sent. */
  readonly changed: boolean;
}

/** What one declared resource has to say from now on. */
export interface ResourceUpdate {
  readonly file: string;
  readonly place: Place;
  readonly edits: readonly Edit[];
  /** Texts in files of their own. */
  readonly texts: readonly NewFile[];
  /** `account/kind/name`, one for each account that it is declared for. */
  readonly addresses: readonly string[];
  /** The live objects that it is about. */
  readonly objects: readonly LiveObject[];
  readonly report: ImportReport['updated'];
  readonly toComplete: ImportReport['to_complete'];
}

interface Changed extends NewFile {
  /** Resources that were changed in it or added to it. */
  readonly resources: number;
}

/** Gathers everything that is to be changed in existing files, each of which is read once. */
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
