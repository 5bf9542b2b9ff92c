import { parse, stringify } from 'lossless-json';
import { rowOf } from '../api/catalogue.ts';
import { Bytes, RawJson, NO_EFFECTS, type Answer, type FaultEffects } from './call.ts';
import type { ArmedFault, Fault, FaultOf } from './fault-shape.ts';
import { draw } from './random.ts';
import type { Route } from './routing.ts';
import { findAccount, type World } from './world.ts';

/** The faults that apply to this call. Every matching call is counted, so that `nth` is exact. */
export function matchFaults(world: World, route: Route): Fault[] {
  return world.faults.flatMap((armed) =>
    matches(world, armed.fault, route) && fires(world, armed) ? [armed.fault] : [],
  );
}

/** The first fault of the object store that applies to a put. */
export function matchPutFault(
  world: World,
  put: { readonly account_id: string; readonly part: number },
): FaultOf<'storage'> | undefined {
  const struck = world.faults.flatMap((armed) => {
    const { fault } = armed;
    if (fault.kind !== 'storage') return [];
    if (fault.account_id !== undefined && fault.account_id !== put.account_id) return [];
    if (fault.part !== undefined && fault.part !== put.part) return [];
    return fires(world, armed) ? [fault] : [];
  });
  return struck[0];
}

/** The first fault of deliveries that applies to an event. */
export function matchWebhookFault(
  world: World,
  told: { readonly account_id: string; readonly event: string },
): FaultOf<'webhook'> | undefined {
  const struck = world.faults.flatMap((armed) => {
    const { fault } = armed;
    if (fault.kind !== 'webhook') return [];
    if (fault.account_id !== undefined && fault.account_id !== told.account_id) return [];
    if (fault.event !== undefined && fault.event !== told.event) return [];
    return fires(world, armed) ? [fault] : [];
  });
  return struck[0];
}

function matches(world: World, fault: Fault, route: Route): boolean {
  const { operation } = route;
  return (
    fault.kind !== 'storage' &&
    fault.kind !== 'webhook' &&
    (fault.operation === undefined || fault.operation === operation) &&
    (fault.method === undefined || fault.method === rowOf(operation).method) &&
    (fault.account_id === undefined || isOf(world, fault.account_id, route))
  );
}

/** Whether the path names the account, by its id or its platform's id. */
function isOf(world: World, accountId: string, { params }: Route): boolean {
  const { account_id, platform_account_id } = params;
  if (account_id !== undefined) return account_id === accountId;
  return (
    platform_account_id !== undefined &&
    findAccount(world, accountId)?.live.platform_account_id === platform_account_id
  );
}

function fires(world: World, armed: ArmedFault): boolean {
  const { nth, times, probability } = armed.fault;
  armed.seen += 1;
  if (armed.seen < (nth ?? 1)) return false;
  if (armed.struck >= (times ?? (nth === undefined ? Infinity : 1))) return false;
  if (probability !== undefined && draw(world) >= probability) return false;
  armed.struck += 1;
  return true;
}

/** The first fault of that kind. */
export function ofKind<Kind extends Fault['kind']>(
  faults: readonly Fault[],
  kind: Kind,
): FaultOf<Kind> | undefined {
  return faults.find((fault): fault is FaultOf<Kind> => fault.kind === kind);
}

/** How the faults change the execution. */
export function effectsOf(faults: readonly Fault[]): FaultEffects {
  if (faults.length === 0) return NO_EFFECTS;
  return {
    partly: ofKind(faults, 'partial_commit') !== undefined,
    listLagSec: ofKind(faults, 'list_lag')?.lag_sec ?? 0,
    readsLag: ofKind(faults, 'list_lag')?.reads ?? ofKind(faults, 'status_lag')?.reads ?? false,
    statusLagSec: ofKind(faults, 'status_lag')?.lag_sec ?? 0,
    rewrite: ofKind(faults, 'late_rewrite') ?? null,
    repeatPage: ofKind(faults, 'repeated_page') !== undefined,
    emptyPage: ofKind(faults, 'empty_page') !== undefined,
  };
}

/** The answer after the changes by faults. */
export function alterAnswer(faults: readonly Fault[], answer: Answer): Answer {
  return faults.reduce((altered, fault) => (altered === null ? null : alterText(fault, altered)), answer);
}

/** Parses an answer only if a fault changes it, and loses no digit. */
function alterText(fault: Fault, answer: object): object {
  if (answer instanceof Bytes) return answer;
  if (!(answer instanceof RawJson)) return alterOnce(fault, answer);
  if (!ALTERING.includes(fault.kind)) return answer;
  const parsed = parse(answer.text);
  if (typeof parsed !== 'object' || parsed === null) return answer;
  return new RawJson(stringify(alterOnce(fault, parsed)) ?? answer.text);
}

const ALTERING: readonly Fault['kind'][] = [
  'odd_reply',
  'empty_page',
  'repeated_page',
  'missing_has_more',
  'odd_has_more',
];

function alterOnce(fault: Fault, answer: object): object {
  if (fault.kind === 'odd_reply') return oddReply(fault, answer);
  if (!('has_more' in answer)) return answer;
  if (fault.kind === 'empty_page') return { ...answer, items: [], has_more: true };
  if (fault.kind === 'repeated_page') return { ...answer, has_more: true };
  if (fault.kind === 'odd_has_more') return { ...answer, has_more: fault.value };
  if (fault.kind !== 'missing_has_more') return answer;
  const { has_more: _dropped, ...rest } = answer;
  return rest;
}

const LISTS = ['items', 'accounts', 'users'];

/** In a list every item is changed, elsewhere the answer itself. */
function oddReply({ set }: FaultOf<'odd_reply'>, answer: object): object {
  for (const [member, value] of Object.entries(answer)) {
    if (!LISTS.includes(member) || !Array.isArray(value)) continue;
    return { ...answer, [member]: value.map((item: object) => ({ ...item, ...set })) };
  }
  return { ...answer, ...set };
}
