import type { Fetch } from '../../src/domain/ports.ts';
import { NEVER_SENT_CODE } from '../../src/domain/ports.ts';
import { KIND_ROWS } from '../../src/domain/resource.ts';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createWorld } from '../../src/simulator/world.ts';
import { never, turns, type FlowClock } from '../helpers/flow-clock.ts';
import { ACCOUNTS, ALIASES, type Alias, type Deed, type Kind, type Scenario } from './scenario.ts';
import { isRunning, type Changed, type Live, type Received, type Sent } from './trace.ts';

/** What may happen to a process around one of its requests. */
export interface Caller {
  /** Before the request leaves. Waits for as long as the process is stopped; permanently if it is dead. */
  readonly leaving: (nth: number) => Promise<'goes on' | 'dies after'>;
  /** Before it hears the answer. */
  readonly hearing: () => Promise<void>;
  readonly dies: () => void;
  readonly machineOffMs: () => number;
  readonly process: number;
}

export type Service = ReturnType<typeof openService>;

const KEY = 'sim-key';
const HEADER = 'x-svc-auth-token';
const CROWD = 101;

/** The service as the run sees it: the simulator, the way to it, and the truth about it. */
export function openService(scenario: Omit<Scenario, 'steps'>, clock: FlowClock) {
  const world = createWorld({
    seed: scenario.seed,
    modes: scenario.crowded ? { campaignOrder: 'reshuffled' } : {},
  });
  const simulator = createSimulator(world, { clock });
  const { control } = simulator;
  for (let place = 0; scenario.crowded && place < CROWD; place += 1)
    control.seedCampaign('101', { name: `Crowd ${place}`, status: 'archived' });
  const callers: Caller[] = [];
  const counts: number[] = [];
  const requests: Sent[] = [];
  let fans = 0;

  const objects = (): Live[] =>
    ALIASES.flatMap((alias) => {
      const account = world.accounts[ACCOUNTS[alias]];
      const campaigns = Object.values(account?.campaigns ?? {}).map(({ live }) => live);
      const broadcasts = Object.values(account?.broadcasts ?? {}).map(({ live }) => live);
      return [...campaigns, ...broadcasts].map((live) => ({
        alias,
        kind: 'scheduled_at' in live ? 'broadcast' : 'campaign',
        id: live.id,
        name: live.name ?? '',
        text: live.messages[0]?.text ?? '',
        status: live.status ?? 'null',
        hourMs: 'scheduled_at' in live && live.scheduled_at !== null ? Date.parse(live.scheduled_at) : null,
      }));
    });
  const find = (alias: Alias, kind: Kind, id: string) =>
    objects().find((one) => one.alias === alias && one.kind === kind && one.id === id);
  const byKey = () => new Map(objects().map((one) => [`${one.alias}/${one.kind}/${one.id}`, one]));

  const network: Fetch = async (request, { leaves }) => {
    const place = Number(/\.(\d+)$/.exec(request.headers.get(HEADER) ?? '')?.[1] ?? -1);
    const caller = callers[place];
    if (caller === undefined) return never();
    const headers = new Headers(request.headers);
    headers.set(HEADER, KEY);
    const known = new Request(request, { headers });
    const body = request.method === 'GET' ? '' : await known.clone().text();
    counts[place] = (counts[place] ?? 0) + 1;
    const fate = await caller.leaving(counts[place]);
    // Its own time-outs come first when a stopped process goes on: a request that they end does not leave.
    known.signal.throwIfAborted();
    leaves();
    control.now();
    const sent: Sent = {
      ...describe(known, body, find),
      number: world.nextRequest,
      process: caller.process,
      atMs: world.nowMs,
      machineOffMs: caller.machineOffMs(),
      serviceOffMs: (world.modes.serverClocksSec[0] ?? 0) * 1000,
      heard: null,
      heardMs: null,
    };
    requests.push(sent);
    const answering = simulator.fetch(known);
    if (fate === 'dies after') {
      // The request has left: it reaches the service, and its answer reaches nothing.
      await Promise.race([answering.catch(() => undefined), turns(20)]);
      caller.dies();
      return never();
    }
    try {
      const answer = await answering;
      await caller.hearing();
      sent.heard = known.method === 'GET' && !(await isJson(answer.clone())) ? 'lost' : answer.status;
      return answer;
    } catch (error) {
      const connected = !isNeverConnected(error);
      await caller.hearing();
      sent.heard = connected ? 'lost' : 'never left';
      throw connected ? error : marked(error as Error);
    } finally {
      sent.heardMs = control.now();
    }
  };

  return {
    network,
    requests,
    /** Registers a process. Answers the API key that tells its requests from those of others. */
    connect: (caller: Caller) => {
      callers.push(caller);
      return `${KEY}.${callers.length - 1}`;
    },
    arm: (fault: FaultInput) => control.addFault(fault),
    disarm: () => control.clearFaults(),
    setClock: (sec: number) => void (world.modes.serverClocksSec = [sec]),
    act: (deed: Deed, names: readonly string[]) => {
      const chosen = objects()
        .filter(({ alias, name }) => alias === deed.alias && names.includes(name))
        .sort((left, right) => compareIds(left.id, right.id));
      const target = deed.oldest ? chosen[0] : chosen.at(-1);
      const words = target === undefined ? null : actOn(target, deed.person);
      if (target === undefined || words === null) return null;
      const account = world.getAccount({ account_id: ACCOUNTS[target.alias] });
      const sender = account[KIND_ROWS[target.kind].plural][target.id];
      const after = (sec: number) => world.nowMs + sec * 1000;
      const lag = {
        listsMs: after(deed.listsLagSec),
        readsMs: after(deed.readsLagSec),
        status: target.status,
      };
      if (sender !== undefined) sender.lag = lag;
      return `${words}; lists show it after ${deed.listsLagSec} s, reads after ${deed.readsLagSec} s`;
    },
    fanComes: () => {
      fans += 1;
      const fan = `fan ${fans}`;
      for (const alias of ALIASES)
        control.fireTrigger({ account_id: ACCOUNTS[alias], trigger: 'welcome_message', fan_id: fan });
      return fan;
    },
    live: (): readonly Live[] => {
      control.now();
      return objects().sort((left, right) => compareIds(left.id, right.id));
    },
    changes: (): readonly Changed[] => {
      control.now();
      const known = byKey();
      return world.commits.flatMap(({ at, cause, account_id, kind, id, name, change, status }): Changed[] => {
        const alias = aliasWith(account_id);
        if (alias === undefined) return [];
        const by = cause.by === 'control' ? 'person' : (cause.request ?? 'service');
        const text = known.get(`${alias}/${kind}/${id}`)?.text ?? '';
        const now = { name: name ?? '', text, status: status ?? 'null' };
        return [{ atMs: Date.parse(at), by, alias, kind, id, change, ...now }];
      });
    },
    received: (): readonly Received[] => {
      control.now();
      const known = byKey();
      return world.dispatches.flatMap(({ at, account_id, fan_id, kind, id, text }): Received[] => {
        const alias = aliasWith(account_id);
        if (alias === undefined) return [];
        const name = known.get(`${alias}/${kind}/${id}`)?.name ?? '';
        return [{ atMs: Date.parse(at), alias, fan: fan_id, kind, id, name, text: text ?? '' }];
      });
    },
    now: () => control.now(),
  };

  /** A person does it on the screens of the service; null where the screens do not offer it. */
  function actOn({ alias, kind, id, name, text, status, hourMs }: Live, does: Deed['person']): string | null {
    const runs = isRunning({ status });
    const edit = (set: object, of = id) => {
      control.edit({ kind, account_id: ACCOUNTS[alias], id: of, set });
      return `a person ${does} ${alias}/${kind}/${name} (${id})`;
    };
    switch (does) {
      case 'pauses':
        return runs ? edit({ status: 'paused' }) : null;
      case 'starts':
        if (kind === 'campaign')
          return status === 'paused' || status === 'archived' ? edit({ status: 'active' }) : null;
        if (status !== 'paused') return null;
        return edit({ status: hourMs !== null && hourMs > control.now() ? 'scheduled' : 'queued' });
      case 'archives':
        // There is no manual archive of a broadcast.
        if (kind === 'broadcast' || (!runs && status !== 'paused')) return null;
        return edit({ status: 'archived' });
      case 'recalls':
        if (!runs && status !== 'paused') return null;
        return edit({ status: kind === 'campaign' ? 'recalling' : 'recalled' });
      case 'rewords':
        return edit({ messages: [{ text: `${text}, edited` }] });
      case 'copies': {
        if (kind === 'broadcast' && hourMs === null) return null;
        const set = { name, messages: [{ text }] };
        const scheduled_at = new Date(hourMs ?? 0).toISOString();
        const made =
          kind === 'campaign'
            ? control.seedCampaign(ACCOUNTS[alias], set)
            : control.seedBroadcast(ACCOUNTS[alias], { ...set, scheduled_at });
        // The simulator lists no commit for what is there without a request.
        return edit({}, made.id);
      }
    }
  }
}

/** What a request is about, from its method, path and body. */
function describe(
  { method, url }: Request,
  body: string,
  find: (alias: Alias, kind: Kind, id: string) => Live | undefined,
) {
  const { pathname, searchParams } = new URL(url);
  const parts =
    /\/accounts\/(\d+)\/(auto-message|priority-mass-message)-campaigns(?:\/(\d+))?(?:\/(\w+))?$/.exec(
      pathname,
    );
  const [, account = '', prefix, id = null, tail] = parts ?? [];
  const alias = aliasWith(account) ?? null;
  const kind = prefix === undefined ? null : prefix === 'auto-message' ? 'campaign' : 'broadcast';
  const asked = (body.startsWith('{') ? JSON.parse(body) : {}) as {
    readonly name?: string;
    readonly status?: string;
    readonly scheduled_at?: string;
    readonly messages?: readonly { readonly text?: string }[];
  };
  const target = alias === null || kind === null || id === null ? undefined : find(alias, kind, id);
  const wants =
    method === 'GET'
      ? null
      : tail === 'unsend'
        ? 'recalled'
        : id === null
          ? 'created'
          : (asked.status ?? 'other');
  const wall = asked.scheduled_at === undefined ? null : Date.parse(`${asked.scheduled_at.slice(0, 19)}Z`);
  return {
    operation: `${method} ${kind ?? pathname}${id === null ? (method === 'GET' ? ' list' : '') : ` ${id}`}`,
    alias,
    kind,
    id,
    name: target?.name ?? asked.name ?? '',
    text: target?.text ?? asked.messages?.[0]?.text ?? '',
    hourMs: target === undefined ? wall : target.hourMs,
    wants: kind === null && method !== 'GET' ? 'other' : wants,
    wholeList:
      method === 'GET' &&
      kind !== null &&
      id === null &&
      Number(searchParams.get('offset') ?? 0) === 0 &&
      searchParams.get('include_archived') === 'true',
  } as const;
}

/** Ids compare by length, then by text. */
function compareIds(left: string, right: string): number {
  return left.length - right.length || (left < right ? -1 : 1);
}

function aliasWith(accountId: string): Alias | undefined {
  return ALIASES.find((alias) => ACCOUNTS[alias] === accountId);
}

/** Of a page of a gateway, and of half a body, Herald learns nothing. */
async function isJson(answer: Response): Promise<boolean> {
  return answer.json().then(
    () => true,
    () => false,
  );
}

/** Whether an error says that no connection came to be. */
function isNeverConnected(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return (
    cause instanceof Error &&
    'syscall' in cause &&
    (cause.syscall === 'connect' || cause.syscall === 'getaddrinfo')
  );
}

/** Herald's own transport marks a failure to connect; this network stands in its place. */
function marked({ message, cause }: Error): Error {
  return new TypeError(message, {
    cause: Object.assign(new Error('', { cause }), { code: NEVER_SENT_CODE }),
  });
}
