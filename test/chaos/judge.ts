import type { Oracle } from '../../src/simulator/oracle.ts';
import { isRunning, sameContent, wordsOf, type Declared } from './declare.ts';
import { isTooLate, type Live } from './live.ts';

const NEAR_MS = 3_600_000;

/** What is known of the requests of a scenario, beside the oracle's own record. */
export interface History {
  /** Which stretch of one and the same declared content a request of this number belongs to, for each resource. */
  readonly stretchOf: (request: number, account: string, kind: string, name: string) => number;
  readonly mediaIsUntold: boolean;
  /** What the files hold in the end. */
  readonly declared: readonly Declared[];
  /** When everything was as declared and fans came: what went out before belongs to earlier versions. */
  readonly endedAt: string;
  /** Two operators may create the same at the same moment, and stop one of it. */
  readonly operators: number;
  /** Names of which two may run for a moment, because somebody wants it so. */
  readonly overlapping: ReadonlySet<string>;
}

/** More than one object for one version that the document does not excuse, and words that a fan got twice. */
export function duplicates(oracle: Oracle, live: readonly Live[], history: History): string[] {
  const known = new Map(live.map((object) => [`${object.kind}:${object.id}`, object]));
  const made = new Map<string, number>();
  const tooLate = new Set<string>();
  for (const { change, kind, id, account_id: accountId, cause } of oracle.commits) {
    const object = known.get(`${kind}:${id}`);
    if (change !== 'create' || cause.by !== 'api' || cause.request === null || object === undefined) continue;
    if (isTooLate(oracle, object)) tooLate.add(groupOf(object));
    else {
      const stretch = history.stretchOf(cause.request, accountId, kind, object.name);
      const key = `${groupOf(object)} ${wordsOf(object.content)} (${stretch})`;
      made.set(key, (made.get(key) ?? 0) + 1);
    }
  }
  const twice = [...made]
    .filter(([, times]) => times > history.operators)
    .map(([key]) => `created twice: ${key}`);
  const declared = new Set(history.declared.map(groupOf));
  const got = new Map<string, number>();
  for (const { fan_id: fan, kind, id, at } of oracle.dispatches) {
    const object = known.get(`${kind}:${id}`);
    if (object === undefined) continue;
    const isEarly = at < history.endedAt;
    // A copy that came too late is stopped by the next apply, unless the files know nothing of it any more.
    if (tooLate.has(groupOf(object)) && (isEarly || !declared.has(groupOf(object)))) continue;
    // Two operators who create the same at the same moment stop one of it when they look again.
    if (isEarly && history.operators > 1) continue;
    if (isEarly && history.overlapping.has(object.name.split(' ')[0] ?? '')) continue;
    const key = `${groupOf(object)} ${fan}`;
    got.set(key, (got.get(key) ?? 0) + 1);
  }
  const doubled = [...got].filter(([, times]) => times > 1).map(([key]) => `sent twice: ${key}`);
  return [...twice, ...doubled];
}

function groupOf({ accountId, kind, name }: Pick<Live, 'accountId' | 'kind' | 'name'>): string {
  return `${accountId}/${kind}/${name}`;
}

/** Bytes that are in a vault more than once, and uploads that carried the service's key to the store. */
export function vaultProblems({ vaults, storage }: Oracle, { mediaIsUntold }: History): string[] {
  const leaked = storage.auth_headers_seen > 0 ? ['the key was sent to the object store'] : [];
  if (mediaIsUntold) return leaked;
  const twice = Object.entries(vaults).flatMap(([accountId, { exported }]) => {
    const digests = exported.map(({ sha256 }) => sha256);
    return [...new Set(digests)]
      .filter((digest) => digests.filter((one) => one === digest).length > 1)
      .map((digest) => `exported twice: ${digest?.slice(0, 6) ?? 'null'} on account ${accountId}`);
  });
  return [...leaked, ...twice];
}

/** Recalls cannot be undone, so none happens twice, unless a late change of its status has made it what it was before. */
export function recalledTwice({ commits }: Oracle): string[] {
  const recalled = new Set<string>();
  return commits.flatMap(({ change, cause, account_id: accountId, kind, id }) => {
    const key = `${accountId}/${kind}/${id}`;
    if (change === 'status' && cause.by === 'api') recalled.delete(key);
    if (change !== 'unsend') return [];
    const twice = recalled.has(key) ? [`recalled twice: ${key}`] : [];
    recalled.add(key);
    return twice;
  });
}

/** What is declared and does not stand exactly once, and who got nothing although it stood. */
export function losses(
  oracle: Oracle,
  live: readonly Live[],
  { declared, mediaIsUntold, endedAt }: History,
): string[] {
  return declared.flatMap((wanted) => {
    // Its hour came in the middle of everything, or came too near: what went out is judged by what was sent.
    if (wanted.hourMs !== null && wanted.hourMs - Date.parse(endedAt) < NEAR_MS) return [];
    const group = live.filter(
      ({ accountId, kind, name }) =>
        accountId === wanted.accountId && kind === wanted.kind && name === wanted.name,
    );
    const words = `${wanted.alias}/${wanted.kind}/${wanted.name}`;
    const sent = oracle.dispatches.filter(
      ({ id, kind, at }) => at >= endedAt && group.some((object) => object.kind === kind && object.id === id),
    );
    if (!isRunning(wanted.target)) {
      const still = sent.length > 0 || group.some(({ status }) => isRunning(status));
      return still ? [`${words} is ${wanted.target} and still runs`] : [];
    }
    if (sent.length === 0) return [`${words} reached nobody`];
    const wrong = group
      .filter(({ id }) => sent.some((dispatch) => dispatch.id === id))
      .filter(({ content }) => !sameContent(content, wanted.content))
      .filter(({ content }) => !(mediaIsUntold && content.text === wanted.content.text));
    if (wrong.length > 0)
      return [`${words} went out as ${wrong.map(({ content }) => wordsOf(content)).join()}`];
    const active = group.filter(({ status }) => status === 'active').length;
    return wanted.kind === 'campaign' && active !== 1 ? [`${words} is live ${active} times`] : [];
  });
}
