import type { Oracle } from '../../../src/simulator/oracle.ts';
import type { Simulator } from '../../../src/simulator/simulator.ts';
import {
  isDeclaredAs,
  isRunning,
  sameContent,
  sameText,
  sentWords,
  wordsOf,
  type Declared,
} from '../declare.ts';
import { groupOf, isTooLate, liveOf, WINDOW_MS, type Live } from '../live.ts';
import { writesOf, type Actor, type Chaos, type Process } from '../state.ts';
import { isDeceivedOfAge } from './deceived.ts';
import { isLeft } from './left.ts';

const NEAR_MS = 3_600_000;

/** What the end of a scenario is compared with. */
export interface Final {
  /** What the files hold in the end. */
  readonly declared: readonly Declared[];
  /** When everything was as declared and fans came: what went out before belongs to earlier versions. */
  readonly endedAt: string;
}

/** More objects for one version than operators who may create it at the same moment. */
export function createdTwice(chaos: Chaos): string[] {
  const { simulator, actors, processes } = chaos;
  const made = new Map<string, Made[]>();
  for (const object of liveOf(simulator)) {
    const { madeBy, accountId, kind, name, content } = object;
    const process = processes.find(({ requests }) => madeBy !== null && requests.has(madeBy));
    if (madeBy === null || process === undefined || isTooLate(simulator, object)) continue;
    if (process.run.command.kind !== 'apply' || isMadeTooSoon(chaos, process.actor, madeBy)) continue;
    const period = process.actor.runningPeriods.of(madeBy, accountId, kind, name);
    const key = `${groupOf(object)} ${sentWords(content)} (${period}) by ${process.actor.name}`;
    made.set(key, [...(made.get(key) ?? []), { object, process }]);
  }
  const most = actors.length > 1 ? 2 : 1;
  return [...made]
    .filter(([, all]) => all.length - (isReplacedOnce(all) ? 1 : 0) > most)
    .map(([key]) => `created twice: ${key}`);
}

/** Its run could not tell that an earlier request without an answer might still make the same. */
function isMadeTooSoon(chaos: Chaos, actor: Actor, madeBy: number): boolean {
  const writes = writesOf(chaos, actor);
  const own = writes.find(({ request }) => request === madeBy);
  return (
    own !== undefined &&
    writes.some(
      (earlier) =>
        earlier.answer === 'unconfirmed' &&
        earlier.request < madeBy &&
        own.sentMs - earlier.sentMs < WINDOW_MS &&
        isDeceivedOfAge(chaos, earlier, own),
    )
  );
}

/** An object, and the run that made it. */
interface Made {
  readonly object: Live;
  readonly process: Process;
}

/** What the service has rewritten is replaced once, by a later run. */
function isReplacedOnce(all: readonly Made[]): boolean {
  const isReworded = all.some(({ object: { content } }) => wordsOf(content) !== sentWords(content));
  return isReworded && new Set(all.map(({ process }) => process)).size === all.length;
}

/** Words that a fan got twice. */
export function sentTwice(chaos: Chaos, oracle: Oracle, { declared, endedAt }: Final): string[] {
  const { simulator, scenario, people } = chaos;
  const live = liveOf(simulator);
  const known = new Map(live.map((object) => [`${object.kind}:${object.id}`, object]));
  const tooLate = new Set(live.filter((object) => isTooLate(simulator, object)).map(groupOf));
  const inFiles = new Set(declared.map(groupOf));
  const halted = new Set(declared.filter(({ target }) => target === 'paused').map(groupOf));
  const got = new Map<string, number>();
  const begunAt = new Map<string, string>();
  for (const { fan_id: fan, kind, id, at } of oracle.dispatches) {
    const object = known.get(`${kind}:${id}`);
    if (object === undefined) continue;
    // What has begun to go out is not cut off half-way.
    const begun = kind === 'broadcast' ? (begunAt.get(id) ?? at) : at;
    begunAt.set(id, begun);
    const isEarly = begun < endedAt;
    // A copy that came too late is stopped by the next apply, unless the files know nothing of it any more.
    if (tooLate.has(groupOf(object)) && (isEarly || !inFiles.has(groupOf(object)))) continue;
    // A pause that comes after the hour cuts nothing off half-way, neither it nor what a person has put next to it.
    if (kind === 'broadcast' && halted.has(groupOf(object)) && people.touchedMs.has(groupOf(object)))
      continue;
    // Two operators who create the same at the same moment stop one of it when they look again.
    if (isEarly && scenario.operators.length > 1) continue;
    if (isEarly && people.overlapping.has(object.name.split(' ')[0] ?? '')) continue;
    // What was renamed keeps its name on the service, and another resource may have that name by now.
    const owner = declared.some(({ textBegins }) => textBegins !== null) ? ` ${slotInText(object)}` : '';
    const key = `${groupOf(object)}${owner} ${fan}`;
    got.set(key, (got.get(key) ?? 0) + 1);
  }
  return [...got].filter(([, times]) => times > 1).map(([key]) => `sent twice: ${key}`);
}

function slotInText({ content: { text } }: Live): string {
  return text.split(' ')[0] ?? '';
}

/** Bytes that are in a vault more than once, and uploads that carried the service's key to the store. */
export function vaultProblems({ vaults, storage }: Oracle, isMediaUntold: boolean): string[] {
  const leaked = storage.auth_headers_seen > 0 ? ['the key was sent to the object store'] : [];
  if (isMediaUntold) return leaked;
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

/** What is declared and is not there exactly once, and what reached no fan although it was there. */
export function losses(
  oracle: Oracle,
  simulator: Simulator,
  { declared, endedAt }: Final,
  isMediaUntold: boolean,
): string[] {
  const live = liveOf(simulator);
  return declared.flatMap((wanted) => {
    // Its hour came in the middle of everything, or came too near: what went out is judged by what was sent.
    if (wanted.hourMs !== null && wanted.hourMs - Date.parse(endedAt) < NEAR_MS) return [];
    const group = live.filter((one) => isDeclaredAs(wanted, one));
    const words = `${wanted.alias}/${wanted.kind}/${wanted.name}`;
    const sent = oracle.dispatches.filter(
      ({ id, kind, at }) => at >= endedAt && group.some((object) => object.kind === kind && object.id === id),
    );
    if (!isRunning(wanted.target)) {
      const still = sent.length > 0 || group.some(({ status }) => isRunning(status));
      return still ? [`${words} is ${wanted.target} and still runs`] : [];
    }
    if (sent.length === 0) return [`${words} reached no one`];
    const isWrong = (object: Live) =>
      sent.some((dispatch) => dispatch.id === object.id) &&
      !sameContent(object.content, wanted.content) &&
      !(isMediaUntold && sameText(object.content.text, wanted.content.text)) &&
      !isLeft(live, object, wanted);
    const wrong = group.filter(isWrong);
    if (wrong.length > 0)
      return [`${words} went out as ${wrong.map(({ content }) => wordsOf(content)).join()}`];
    const active = group.filter(({ status }) => status === 'active').length;
    return wanted.kind === 'campaign' && active !== 1 ? [`${words} is live ${active} times`] : [];
  });
}
