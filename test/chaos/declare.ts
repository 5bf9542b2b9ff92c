import type { Kind } from '../../src/domain/resource.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { JPEG, mediaOf } from '../helpers/media.ts';
import type { Scene } from '../helpers/scene.ts';
import { sha256 } from '../helpers/uploads.ts';
import { SLOTS, type SlotVersion } from './shape.ts';

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

export function accountOf(alias: string): string {
  return ACCOUNTS.find((account) => account.alias === alias)?.accountId ?? alias;
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
  /** What the file says about it beyond that. */
  readonly slot: SlotVersion;
  /** Names that it had before, by what the files have said since: its live object may still have one of them. */
  readonly formerNames: readonly string[];
  /**
   * How the texts of its live objects begin, where a name has belonged to two resources: what has that name may be the
   * other one's. Null where a name tells enough.
   */
  readonly textBegins: string | null;
}

/** One resource as it is written for all accounts. */
export interface Written extends Omit<Declared, 'alias' | 'accountId'> {
  /** Of the drawing of its file; null for none. */
  readonly picture: Picture | null;
  /** Its name before, where the file says it. */
  readonly renamedFrom: string | null;
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

/** How much later that is where the file says so: the service takes whole hours. */
const LATER_MS = 3_600_000;

export function hourOf(name: string, startMin: number, isLater = false): number | null {
  const [slot = ''] = name.split(' ');
  const hour = slot === 'Teaser' && startMin > 0 ? NEAR_HOUR : HOURS[slot];
  return hour === undefined ? null : Date.parse(hour) + (isLater ? LATER_MS : 0);
}

const PICTURE_BYTES = 4000;
const pictures = new Map<number, { bytes: Buffer; digest: string }>();

/** The picture with these bytes, at a place of its own; null for a digest that no one drew. */
export function pictureWith(digest: string | null): Picture | null {
  const [seed] = [...pictures].find(([, drawn]) => drawn.digest === digest) ?? [];
  return seed === undefined ? null : { path: `media/again-${seed}.jpg`, seed };
}

export function pictureOf(seed: number): { bytes: Buffer; digest: string } {
  const known = pictures.get(seed);
  if (known !== undefined) return known;
  const bytes = mediaOf(JPEG, PICTURE_BYTES, seed);
  const drawn = { bytes, digest: sha256(bytes) };
  pictures.set(seed, drawn);
  return drawn;
}

/** The slot that a name belongs to. */
export function slotOf(name: string): (typeof SLOTS)[number] {
  const found = SLOTS.find((slot) => slot.name === name.split(' ')[0]);
  if (found === undefined) throw new Error(`${name} belongs to no slot`);
  return found;
}

/** Puts them into the files of these operators; answers them account by account. */
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
  const { slot } = written;
  return campaign({
    ...membersOf(written),
    replace: slot.replace,
    ...(slot.clears ? { old_queue: 'clear' } : {}),
    ...(slot.waits ? WAITING : {}),
  });
}

function broadcastOf(written: Written) {
  return broadcast({ ...membersOf(written), scheduled_at: new Date(written.hourMs ?? 0).toISOString() });
}

/** How long a message waits in the queue of a campaign that lets it wait. */
const QUEUE_SEC = 1200;
export const WAITING = { rules: { send_delay_interval: { min_sec: QUEUE_SEC, range_sec: 0 } } } as const;

function membersOf({ name, target, protect, content, picture, renamedFrom }: Written) {
  const shown = picture === null ? {} : { attachments: [{ file: picture.path, is_paid: false }] };
  return {
    name,
    status: target,
    ...(protect ? { protect } : {}),
    ...(renamedFrom === null ? {} : { renamed_from: renamedFrom }),
    messages: [{ text: content.text, ...shown }],
  };
}

/** Whether a live object is the one that is declared, perhaps under a name that it had before. */
export function isDeclaredAs(
  {
    accountId,
    kind,
    name,
    formerNames,
    textBegins,
  }: Pick<Written, 'kind' | 'name' | 'formerNames' | 'textBegins'> & {
    readonly accountId?: string;
  },
  live: {
    readonly accountId: string;
    readonly kind: Kind;
    readonly name: string;
    readonly content?: Content;
  },
): boolean {
  return (
    (accountId === undefined || live.accountId === accountId) &&
    live.kind === kind &&
    (live.name === name || formerNames.includes(live.name)) &&
    (textBegins === null || live.content === undefined || live.content.text.startsWith(textBegins))
  );
}

export function isRunning(status: string | null): status is 'active' | 'scheduled' {
  return status === 'active' || status === 'scheduled';
}

/** What the service makes of the word that every text has, some seconds after it was created. */
export const REWORDED = ['says:', 'SAYS'] as const;
/** What a person adds to a text on the service. */
export const EDITED = ', edited';
/** With what the words of a person's own object end. */
export const OWN_WORDS = ' of a person';

/** The same words, whatever the service made of them. */
export function sameText(left: string, right: string): boolean {
  return asSent(left) === asSent(right);
}

function asSent(text: string): string {
  return text.replace(/says:|SAYS/, 'says');
}

export function sameContent(left: Content, right: Content): boolean {
  return sameText(left.text, right.text) && left.sha256 === right.sha256;
}

/** Whether the service has rewritten this text, or a person edited it, since it was sent. */
export function isChangedFrom(live: Content, sent: Content): boolean {
  const text = live.text.replaceAll(EDITED, '');
  return live.text !== sent.text && sameContent({ ...live, text }, sent);
}

/** By which what was sent as the same is counted together. */
export function sentWords(content: Content): string {
  return wordsOf({ ...content, text: asSent(content.text) });
}

export function wordsOf({ text, sha256: digest }: Content): string {
  return digest === null ? text : `${text} with ${digest.slice(0, 6)}`;
}
