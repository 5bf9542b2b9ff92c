import type { Kind } from '../../src/domain/resource.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { JPEG, mediaOf } from '../helpers/media.ts';
import type { Scene } from '../helpers/scene.ts';
import { sha256 } from '../helpers/uploads.ts';
import { SLOTS, type SlotVersion, type Version } from './scenario.ts';

export interface Account {
  readonly alias: string;
  readonly accountId: string;
}

export const ACCOUNTS: readonly Account[] = [
  { alias: 'alice', accountId: '101' },
  { alias: 'bob', accountId: '102' },
];

export function aliasOf(accountId: string): string {
  return ACCOUNTS.find((account) => account.accountId === accountId)?.alias ?? accountId;
}

/** What a message says and shows. */
export interface Content {
  readonly text: string;
  /** Of the bytes of the one file that it shows; null for none. */
  readonly sha256: string | null;
}

/** One declared resource in the version that the files hold now. */
export interface Declared {
  readonly alias: string;
  readonly accountId: string;
  readonly kind: Kind;
  readonly name: string;
  readonly target: 'active' | 'scheduled' | 'paused' | 'archived' | 'recalled';
  readonly content: Content;
  readonly protect: boolean;
  /** Null of a campaign. */
  readonly hourMs: number | null;
}

/** One resource as it is written for all accounts. */
export interface Written extends Omit<Declared, 'alias' | 'accountId'> {
  /** Of the drawing of its file; null for none. */
  readonly picture: Picture | null;
  readonly slot: SlotVersion;
}

interface Picture {
  readonly path: string;
  readonly seed: number;
}

const HOURS: Readonly<Record<string, string>> = {
  Teaser: '2026-07-20T15:00Z',
  Reminder: '2026-07-20T17:00Z',
};
/** The teaser's, in a scenario that does not end before it. */
const NEAR_HOUR = '2026-06-01T13:00Z';

export function hourOf(name: string, startMin: number): number | null {
  const [slot = ''] = name.split(' ');
  const hour = slot === 'Teaser' && startMin > 0 ? NEAR_HOUR : HOURS[slot];
  return hour === undefined ? null : Date.parse(hour);
}
const PICTURE_BYTES = 4000;
const pictures = new Map<number, { bytes: Buffer; digest: string }>();

/** The picture with these bytes, at a place of its own; null for a digest that nobody drew. */
export function pictureWith(digest: string | null): Picture | null {
  const [seed] = [...pictures].find(([, drawn]) => drawn.digest === digest) ?? [];
  return seed === undefined ? null : { path: `media/again-${seed}.jpg`, seed };
}

function pictureOf(seed: number): { bytes: Buffer; digest: string } {
  const known = pictures.get(seed);
  if (known !== undefined) return known;
  const bytes = mediaOf(JPEG, PICTURE_BYTES, seed);
  const drawn = { bytes, digest: sha256(bytes) };
  pictures.set(seed, drawn);
  return drawn;
}

/** What the versions of one scenario have in common: which words came last, and under which name. */
export class Author {
  readonly #startMin: number;
  readonly #words = new Map<string, number>();
  readonly #runs = new Map<string, number>();
  /** Slots whose last version was recalled: what is recalled needs another name to go out again. */
  readonly #recalled = new Set<string>();

  constructor(startMin: number) {
    this.#startMin = startMin;
  }

  /** Somebody recalled what a slot had sent. */
  recalled(name: string): void {
    this.#recalled.add(name.split(' ')[0] ?? name);
  }

  /** What a version declares, resource by resource. */
  write({ slots, bytes }: Version): readonly Written[] {
    return SLOTS.flatMap((slot, index): readonly Written[] => {
      const version = slots[index];
      if (version === undefined || version.target === null) return [];
      const isNewRun = this.#recalled.has(slot.name);
      if (isNewRun) this.#runs.set(slot.name, (this.#runs.get(slot.name) ?? 1) + 1);
      const words = this.#words.get(slot.name) ?? 0;
      if (version.newWords || isNewRun || words === 0) this.#words.set(slot.name, words + 1);
      if (version.target === 'recalled') this.#recalled.add(slot.name);
      else this.#recalled.delete(slot.name);
      const run = this.#runs.get(slot.name) ?? 1;
      const picture =
        version.file === null ? null : { path: `media/${version.file}.jpg`, seed: bytes[version.file] };
      return [
        {
          kind: slot.kind,
          name: run === 1 ? slot.name : `${slot.name} ${run}`,
          target: version.target === 'runs' ? slot.runs : version.target,
          content: {
            text: `${slot.name} says ${this.#words.get(slot.name) ?? 0}`,
            sha256: picture === null ? null : pictureOf(picture.seed).digest,
          },
          protect: version.protect,
          hourMs: hourOf(slot.name, this.#startMin),
          picture,
          slot: version,
        },
      ];
    });
  }
}

/** Puts them into the files of every operator; answers them account by account. */
export function declare(
  scenes: readonly Scene[],
  written: readonly Written[],
  used: readonly Account[],
): readonly Declared[] {
  const of = (kind: Kind) => written.filter((one) => one.kind === kind);
  const files = declaring(
    { campaigns: of('campaign').map(campaignOf), broadcasts: of('broadcast').map(broadcastOf) },
    used.map(({ alias }) => alias),
  );
  for (const scene of scenes) {
    Object.assign(scene.files.tree, files);
    for (const { picture } of written) {
      if (picture === null) continue;
      const path = `live/${picture.path}`;
      scene.bytes.blobs[path] = pictureOf(picture.seed).bytes;
      scene.bytes.changedMs[path] = picture.seed * 1000;
    }
  }
  return used.flatMap((account) => written.map((one): Declared => ({ ...account, ...one })));
}

function campaignOf(written: Written) {
  const { slot, ...rest } = written;
  return campaign({
    ...membersOf(rest),
    replace: slot.replace,
    ...(slot.clears ? { old_queue: 'clear' } : {}),
  });
}

function broadcastOf(written: Written) {
  return broadcast({ ...membersOf(written), scheduled_at: new Date(written.hourMs ?? 0).toISOString() });
}

function membersOf({ name, target, protect, content, picture }: Omit<Written, 'slot'>) {
  const shown = picture === null ? {} : { attachments: [{ file: picture.path, is_paid: false }] };
  return {
    name,
    status: target,
    ...(protect ? { protect } : {}),
    messages: [{ text: content.text, ...shown }],
  };
}

export function isRunning(status: string | null): status is 'active' | 'scheduled' {
  return status === 'active' || status === 'scheduled';
}

export function sameContent(left: Content, right: Content): boolean {
  return left.text === right.text && left.sha256 === right.sha256;
}

export function wordsOf({ text, sha256: digest }: Content): string {
  return digest === null ? text : `${text} with ${digest.slice(0, 6)}`;
}
