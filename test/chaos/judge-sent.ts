import * as z from 'zod';
import type { Kind } from '../../src/domain/resource.ts';
import { isRunning, sameContent, wordsOf, type Content, type Declared } from './declare.ts';
import type { Sent } from './line.ts';
import { keyOf, LAG_MS, type Live } from './live.ts';

/** What one run was asked to do, and so what it may send. */
export interface Terms {
  readonly declared: readonly Declared[];
  readonly covers: (account: string, kind: string, name: string) => boolean;
  readonly allow: readonly string[];
  /** The one change that a person asked for by hand; null for an apply. */
  readonly wish: { readonly key: string; readonly status: string } | null;
}

/** What the judge knows of the past, beside what is live. */
export interface Past {
  /** Objects that certainly are on record as protected. */
  readonly protectedKeys: Set<string>;
  /** Objects that a person stopped: by hand with Herald, or in the service itself. */
  readonly stopped: Map<string, 'by hand' | 'outside'>;
  /** `key status` of every change of a status that was ever sent: an open entry is asked for again. */
  readonly sent: Set<string>;
  /** The ledger that knows which files were uploaded was lost, or is another operator's. */
  readonly mediaIsUntold: boolean;
  /** Nobody else works on the accounts. */
  readonly isAlone: boolean;
  /** Another operator makes the same right now, and a person stops what comes of it before this one looks again. */
  readonly isRaced: boolean;
}

interface Scene {
  readonly terms: Terms;
  readonly past: Past;
  readonly live: readonly Live[];
  readonly nowMs: number;
  readonly aliasOf: (accountId: string) => string;
  /** Whether it came to be later after its request than the document lets anybody reckon with. */
  readonly cameTooLate: (object: Live) => boolean;
}

/** A create that comes later than this before its hour may land after it, and then goes out at once. */
const LEAD_MS = 5 * 60_000 - 1_000;

const createShape = z.looseObject({
  name: z.string(),
  messages: z.array(
    z.looseObject({
      text: z.string().nullable().optional(),
      attachments: z.array(z.looseObject({ id: z.string() })).optional(),
    }),
  ),
});
const PATH =
  /accounts\/(\d+)\/(auto-message-campaigns|priority-mass-message-campaigns|vault\/medias\/uploads)(?:\/(\w+))?(?:\/(status|unsend))?$/;

/** What is wrong with a write at the moment it is sent; null when the run may send it. */
export function problemOfSent(
  sent: Sent,
  scene: Scene,
  shaOf: (mediaId: string) => string | null,
): string | null {
  const [, accountId = '', list = '', id, action] = PATH.exec(sent.path) ?? [];
  if (list === '') return `nothing sends ${sent.method} ${sent.path}`;
  if (list === 'vault/medias/uploads') return problemOfUpload(accountId, scene);
  const kind: Kind = list === 'auto-message-campaigns' ? 'campaign' : 'broadcast';
  if (id === undefined) return problemOfCreate(accountId, kind, sent.body, scene, shaOf);
  const object = scene.live.find((one) => one.accountId === accountId && one.kind === kind && one.id === id);
  if (object === undefined) return `it touches ${kind} ${id}, which is not Herald's`;
  const status =
    action === 'unsend' ? 'unsend' : String((JSON.parse(sent.body) as { status?: unknown }).status);
  const problem = problemOfStatus(object, status, scene);
  return problem === null
    ? null
    : `${status} of ${keyOf(object)} "${object.name}" (${object.status ?? 'null'}, ${wordsOf(object.content)}): ${problem}`;
}

function problemOfUpload(accountId: string, { terms, aliasOf }: Scene): string | null {
  const alias = aliasOf(accountId);
  const shows = terms.declared.some(
    ({ alias: owner, kind, name, content }) =>
      owner === alias && content.sha256 !== null && terms.covers(alias, kind, name),
  );
  return shows && terms.wish === null ? null : `an upload for ${alias}, where nothing shows a file`;
}

function problemOfCreate(
  accountId: string,
  kind: Kind,
  body: string,
  { terms, past, live, nowMs, aliasOf, cameTooLate }: Scene,
  shaOf: (mediaId: string) => string | null,
): string | null {
  const { name, messages } = createShape.parse(JSON.parse(body));
  const [message] = messages;
  const [shown] = message?.attachments ?? [];
  const content: Content = {
    text: message?.text ?? '',
    sha256: shown === undefined ? null : shaOf(shown.id),
  };
  const what = `a create of ${aliasOf(accountId)}/${kind}/${name} that says ${wordsOf(content)}`;
  const wanted = terms.declared.find(
    (one) => one.accountId === accountId && one.kind === kind && one.name === name,
  );
  if (terms.wish !== null || wanted === undefined || !isRunning(wanted.target))
    return `${what}, which is not declared`;
  if (!terms.covers(wanted.alias, kind, name)) return `${what}, which is not part of the run`;
  if (wanted.hourMs !== null && wanted.hourMs - nowMs < LEAD_MS) return `${what}, too near its hour`;
  if (!sameContent(content, wanted.content)) return `${what}, where ${wordsOf(wanted.content)} is declared`;
  const group = live.filter((one) => one.accountId === accountId && one.kind === kind && one.name === name);
  const twin = group.find(
    (one) => isRunning(one.status) && sameContent(one.content, content) && nowMs - one.createdMs > LAG_MS,
  );
  if (twin !== undefined && past.isAlone && !cameTooLate(twin))
    return `${what}, beside the same in ${twin.id}`;
  const newest = group.at(-1);
  if (newest === undefined || terms.allow.includes('resume') || past.isRaced) return null;
  // Somebody stopped a copy, and what was meant to send went on until this replace.
  if (group.some((one) => isRunning(one.status) || past.sent.has(`${keyOf(one)} paused`))) return null;
  const stop = past.stopped.get(keyOf(newest));
  const isHeld = stop === 'by hand' || (stop === 'outside' && newest.status === 'paused');
  return isHeld ? `${what}, although somebody stopped ${newest.id} ${stop}` : null;
}

function problemOfStatus(object: Live, status: string, scene: Scene): string | null {
  const { terms, past, aliasOf } = scene;
  const key = keyOf(object);
  const alias = aliasOf(object.accountId);
  const wasSent = past.sent.has(`${key} ${status}`);
  if (terms.wish !== null)
    return wasSent || (terms.wish.key === key && terms.wish.status === status) ? null : 'nobody asked for it';
  if (!terms.covers(alias, object.kind, object.name)) return 'it is not part of the run';
  const wanted = terms.declared.find(
    (one) => one.accountId === object.accountId && one.kind === object.kind && one.name === object.name,
  );
  if (status === 'unsend') return problemOfRecall(object, wanted, scene);
  // What may be half done is asked for again: stops, and what shows already that it runs.
  if (wasSent && ((status !== 'active' && status !== 'queued') || isRunning(object.status))) return null;
  return status === 'active' || status === 'queued'
    ? problemOfStart(object, wanted, scene)
    : problemOfStop(object, wanted, scene);
}

function problemOfRecall(object: Live, wanted: Declared | undefined, { terms, past }: Scene): string | null {
  if (wanted?.target !== 'recalled' || !terms.allow.includes('recall')) return 'it is not declared recalled';
  return isProtected(object, wanted, past) ? 'it is protected' : null;
}

function problemOfStart(
  object: Live,
  wanted: Declared | undefined,
  { terms, past, live }: Scene,
): string | null {
  const key = keyOf(object);
  if (wanted === undefined || !isRunning(wanted.target)) return 'it is not declared running';
  const beside = live.find(
    (one) =>
      one.id !== object.id &&
      one.accountId === object.accountId &&
      one.kind === object.kind &&
      one.name === object.name &&
      isRunning(one.status),
  );
  if (beside !== undefined && past.isAlone && !isRunning(object.status)) return `${beside.id} runs already`;
  const stop = past.stopped.get(key);
  if (
    stop !== undefined &&
    !isRunning(object.status) &&
    !terms.allow.includes('resume') &&
    !(stop === 'outside' && object.status === 'archived')
  )
    return `somebody stopped it ${stop}`;
  // What a replace stopped is switched on again where its create came to nothing.
  const isOld = past.sent.has(`${key} paused`);
  return sameContent(object.content, wanted.content) || isOld || past.mediaIsUntold
    ? null
    : `${wordsOf(wanted.content)} is declared`;
}

function problemOfStop(
  object: Live,
  wanted: Declared | undefined,
  { terms, past, live }: Scene,
): string | null {
  if (wanted === undefined) {
    if (past.protectedKeys.has(keyOf(object))) return 'it was protected when it left the files';
    return terms.allow.includes('prune') ? null : 'it is no longer declared, and nobody allowed a prune';
  }
  const others = live.filter(
    (one) =>
      one.accountId === object.accountId &&
      one.kind === object.kind &&
      one.name === object.name &&
      one.id !== object.id,
  );
  const hasLeft = others.some(({ kind, status }) => kind === 'broadcast' && !WAITING.includes(status));
  if (hasLeft && !isProtected(object, wanted, past)) return null;
  const twins = others.filter((one) => isRunning(one.status) && sameContent(one.content, wanted.content));
  const isExtra = isRunning(wanted.target) && twins.length > 0;
  if (isProtected(object, wanted, past) && !(isExtra && !past.protectedKeys.has(keyOf(object))))
    return 'it is protected';
  // Another operator's may be on its way to run while this one is stopped.
  if (!isRunning(wanted.target) || !past.isAlone) return null;
  const stays =
    sameContent(object.content, wanted.content) && twins.every(({ id }) => BigInt(id) > BigInt(object.id));
  if (isExtra) return stays ? 'of its copies it is the one that stays' : null;
  return sameContent(object.content, wanted.content) ? 'it is as declared, and the only one' : null;
}

/** What a broadcast shows that has not left. */
const WAITING: readonly (string | null)[] = ['scheduled', 'paused'];

function isProtected(object: Live, { protect }: Declared, past: Past): boolean {
  return (protect || past.protectedKeys.has(keyOf(object))) && isRunning(object.status);
}
