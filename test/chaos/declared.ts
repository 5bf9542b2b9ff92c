import { ALIASES, kindOfSlot, SLOTS, type Alias, type Edit, type Kind, type Slot } from './scenario.ts';

/** One resource as its file declares it. */
export interface Declared {
  readonly slot: Slot;
  readonly kind: Kind;
  readonly name: string;
  readonly renamedFrom: string | null;
  readonly status: 'runs' | 'paused' | 'archived' | 'recalled';
  readonly text: string;
  /** When a broadcast goes out; null of a campaign. */
  readonly hourMs: number | null;
  readonly accounts: readonly Alias[];
}

/** The files as they are now. */
export type Declaration = ReadonlyMap<Slot, Declared>;

const HOUR_MS = 3_600_000;

/** People write the files. No two texts and no two names of a run are the same, so each tells where it comes from. */
export class Author {
  readonly #declared = new Map<Slot, Declared>();
  readonly #texts = new Map<Slot, number>(SLOTS.map((slot) => [slot, 1]));
  readonly #names = new Map<Slot, string[]>(SLOTS.map((slot) => [slot, [slot]]));

  get declaration(): Declaration {
    return new Map(this.#declared);
  }

  /** Goes on from these files, as one who checks out a branch. */
  checkOut(declaration: Declaration): void {
    this.#declared.clear();
    for (const [slot, one] of declaration) this.#declared.set(slot, one);
  }

  /** Every name that the resource has had, the latest first. */
  namesOf(slot: Slot): readonly string[] {
    return (this.#names.get(slot) ?? []).toReversed();
  }

  edit(edit: Edit, nowMs: number): void {
    const { slot } = edit;
    const before = this.#declared.get(slot);
    if (edit.does === 'write' || before === undefined) {
      const { hoursAhead, both } = edit.does === 'write' ? edit : { hoursAhead: 4, both: false };
      this.#put(before ?? this.#draft(slot), {
        status: 'runs',
        hourMs: before?.hourMs ?? hourAhead(slot, nowMs, hoursAhead),
        accounts: both ? ALIASES : ['alice'],
      });
      return;
    }
    switch (edit.does) {
      case 'set':
        return this.#put(before, { status: statusFor(before.kind, edit.status) });
      case 'reword':
        return this.#put(before, { text: this.#nextText(slot) });
      case 'revert':
        return this.#put(before, { text: textBefore(before.text) });
      case 'move':
        return this.#put(before, {
          hourMs: before.hourMs === null ? null : hourAhead(slot, Math.max(nowMs, before.hourMs), edit.hours),
        });
      case 'rename':
        return this.#put(before, { name: this.#nextName(slot), renamedFrom: before.name });
      case 'delete':
        this.#declared.delete(slot);
        return;
    }
  }

  #put(before: Declared, change: Partial<Declared>): void {
    this.#declared.set(before.slot, { ...before, ...change });
  }

  #draft(slot: Slot): Declared {
    return {
      slot,
      kind: kindOfSlot(slot),
      name: this.namesOf(slot)[0] ?? slot,
      renamedFrom: null,
      status: 'runs',
      text: `${slot} text ${this.#texts.get(slot) ?? 1}`,
      hourMs: null,
      accounts: ['alice'],
    };
  }

  #nextText(slot: Slot): string {
    const next = (this.#texts.get(slot) ?? 0) + 1;
    this.#texts.set(slot, next);
    return `${slot} text ${next}`;
  }

  #nextName(slot: Slot): string {
    const names = this.#names.get(slot) ?? [];
    const next = `${slot} ${names.length + 1}`;
    names.push(next);
    return next;
  }
}

function textBefore(text: string): string {
  return text.replace(/\d+$/, (number) => String(Math.max(1, Number(number) - 1)));
}

function statusFor(kind: Kind, status: Declared['status']): Declared['status'] {
  return kind === 'broadcast' && status === 'archived' ? 'paused' : status;
}

/** The service takes whole hours. */
function hourAhead(slot: Slot, nowMs: number, hours: number): number | null {
  return kindOfSlot(slot) === 'campaign' ? null : (Math.floor(nowMs / HOUR_MS) + hours) * HOUR_MS;
}

/** The files of the workspace. JSON is YAML. */
export function filesOf(declaration: Declaration): Record<string, string> {
  const files: Record<string, string> = {};
  for (const one of declaration.values()) {
    const resource = {
      name: one.name,
      status: one.status === 'runs' ? (one.kind === 'campaign' ? 'active' : 'scheduled') : one.status,
      ...(one.renamedFrom === null ? {} : { renamed_from: one.renamedFrom }),
      ...(one.kind === 'campaign'
        ? { trigger: 'welcome_message', action: 'send_message' }
        : { scheduled_at: new Date(one.hourMs ?? 0).toISOString() }),
      audience: 'everyone',
      messages: [{ text: one.text }],
    };
    files[`live/${one.slot.toLowerCase()}.yaml`] = JSON.stringify({
      accounts: one.accounts,
      [`${one.kind}s`]: [resource],
    });
  }
  return files;
}
