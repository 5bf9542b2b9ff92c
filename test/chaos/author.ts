import { hourOf, pictureOf, slotOf, type Written } from './declare.ts';
import { OTHER_SLOT, SLOTS, type SlotName, type SlotVersion } from './shape.ts';

/** The name that a slot has had, and which of its texts. */
interface Version {
  readonly name: string;
  readonly words: number;
}

/** What the versions of one scenario have in common: which words came last, and under which name. */
export class Author {
  readonly #startMin: number;
  /** How many texts and how many names each slot has had. */
  readonly #words = new Map<SlotName, number>();
  readonly #runs = new Map<SlotName, number>();
  /** What each slot had under each of its names, the name of now last. */
  readonly #versions = new Map<SlotName, readonly Version[]>();
  readonly #former = new Map<SlotName, string[]>();
  /** Slots of which the last version was recalled: what is recalled needs another name to go out again. */
  readonly #recalled = new Set<SlotName>();
  /** From the moment on at which a slot has taken the name of another one. */
  #namesAreMixed = false;

  constructor(startMin: number) {
    this.#startMin = startMin;
  }

  /** A person recalled what a slot had sent. */
  recalled(slot: SlotName): void {
    this.#recalled.add(slot);
  }

  /** A person gave an object of the slot another name on the service: Herald knows it by its id. */
  renamedByPerson(slot: SlotName, name: string): void {
    const former = this.#formerOf(slot);
    // Versions that are written already hold this very list.
    if (!former.includes(name)) former.push(name);
  }

  #formerOf(slot: SlotName): string[] {
    const former = this.#former.get(slot) ?? [];
    this.#former.set(slot, former);
    return former;
  }

  /** The same with other words under the next name. */
  again(written: Written): Written {
    const { slot } = written.slot;
    this.recalled(slot);
    return this.#writeOne({ ...written.slot, rename: 'no', sameName: false });
  }

  /** What a version declares, resource by resource. */
  write(versions: readonly SlotVersion[]): readonly Written[] {
    return SLOTS.flatMap(({ name }) => versions.filter(({ slot }) => slot === name).slice(0, 1)).map(
      (version) => this.#writeOne(version),
    );
  }

  #writeOne(version: SlotVersion): Written {
    const { slot, target, picture } = version;
    const isNewRun = this.#recalled.has(slot) && !version.sameName;
    const renamedFrom = this.#name(version, isNewRun);
    if (!version.takesText) this.#writeWords(version, isNewRun);
    if (target === 'recalled') this.#recalled.add(slot);
    else this.#recalled.delete(slot);
    const { kind, runs } = slotOf(slot);
    return {
      kind,
      name: this.#last(slot).name,
      target: target === 'runs' ? runs : target,
      content: {
        text: this.#textOf(version),
        sha256: picture === null ? null : pictureOf(picture.bytes).digest,
      },
      protect: version.protect,
      hourMs: hourOf(slot, this.#startMin, version.later),
      picture: picture === null ? null : { path: `media/${picture.place}.jpg`, seed: picture.bytes },
      renamedFrom,
      formerNames: this.#formerOf(slot),
      textBegins: this.#namesAreMixed ? `${slot} ` : null,
      slot: version,
    };
  }

  /** Gives the slot the name that this version has; answers from which one its file renames it. */
  #name({ slot, rename }: SlotVersion, isNewRun: boolean): string | null {
    const before = this.#last(slot);
    const original = this.#versions.get(slot)?.at(-2);
    if (isNewRun || rename === 'unsaid') this.#nameAnew(slot, []);
    else if (rename === 'said') {
      this.#nameAnew(slot, [...(this.#former.get(slot) ?? []), before.name]);
      return before.name;
    } else if (rename === 'back' && original !== undefined && this.#isFree(slot, original.name)) {
      this.#versions.set(slot, (this.#versions.get(slot) ?? []).slice(0, -1));
      this.#former.set(slot, []);
    } else if (rename === 'corrected' && original !== undefined) {
      this.#versions.set(slot, (this.#versions.get(slot) ?? []).slice(0, -1));
      this.#nameAnew(slot, [original.name], before.words);
      return original.name;
    } else if (rename === 'taken' && this.#isFree(slot, OTHER_SLOT[slot])) {
      this.#namesAreMixed = true;
      this.#versions.set(slot, [{ name: OTHER_SLOT[slot], words: before.words }]);
      this.#former.set(slot, []);
    }
    return null;
  }

  #nameAnew(slot: SlotName, former: string[], words = this.#last(slot).words): void {
    const run = (this.#runs.get(slot) ?? 1) + 1;
    this.#runs.set(slot, run);
    this.#former.set(slot, former);
    this.#versions.set(slot, [
      ...(this.#versions.get(slot) ?? [this.#last(slot)]),
      { name: `${slot} ${run}`, words },
    ]);
  }

  /** The other slot of its kind has another name now. */
  #isFree(slot: SlotName, name: string): boolean {
    return this.#last(OTHER_SLOT[slot]).name !== name;
  }

  #last(slot: SlotName): Version {
    return this.#versions.get(slot)?.at(-1) ?? { name: slot, words: 0 };
  }

  #writeWords({ slot, newWords, oldWords }: SlotVersion, isNewRun: boolean): void {
    const { words } = this.#last(slot);
    if (newWords || isNewRun || words === 0) {
      const next = (this.#words.get(slot) ?? 0) + 1;
      this.#words.set(slot, next);
      this.#say(slot, next);
    } else if (oldWords && words > 1) this.#say(slot, words - 1);
  }

  #say(slot: SlotName, words: number): void {
    const before = (this.#versions.get(slot) ?? []).slice(0, -1);
    this.#versions.set(slot, [...before, { name: this.#last(slot).name, words }]);
  }

  #textOf({ slot, takesText }: SlotVersion): string {
    const says = takesText ? OTHER_SLOT[slot] : slot;
    return `${says} says ${Math.max(1, this.#last(says).words)}`;
  }
}
