import type { BroadcastSeed, CampaignSeed } from '../../src/simulator/seed-shape.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createWorld, type WorldOptions } from '../../src/simulator/world.ts';
import type { PostEvent } from '../../src/simulator/webhooks.ts';
import { flowClock, type FlowClock } from '../helpers/flow-clock.ts';

export const SECOND = 1000;
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export const CAMPAIGNS = '/api/v0/accounts/101/auto-message-campaigns';
export const BROADCASTS = '/api/v0/accounts/101/priority-mass-message-campaigns';

/** Members are read by name and compared; a test says which it expects. */
export type Json = Record<string, unknown>;

export type Answered = Awaited<ReturnType<typeof answered>>;

export interface CallOptions {
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

export type Visit = ReturnType<typeof aVisit>;

/** A simulator with a virtual clock, and without rates unless the test wants them. */
export function aVisit(options: WorldOptions = {}, clock: FlowClock = flowClock(), post?: PostEvent) {
  const world = createWorld({ ...options, modes: { rates: 'none', ...options.modes } });
  const simulator = createSimulator(world, { clock, post });
  const request = (method: string, path: string, body?: unknown, callOptions: CallOptions = {}) =>
    simulator.fetch(requestOf(`http://simulator.test${path}`, method, body, callOptions));
  return {
    simulator,
    control: simulator.control,
    clock,
    request,
    call: async (...input: Parameters<typeof request>) => answered(await request(...input)),
    campaign: (seed?: CampaignSeed) => simulator.control.seedCampaign('101', seed).id,
    broadcast: (seed?: BroadcastSeed) => simulator.control.seedBroadcast('101', seed).id,
  };
}

export function requestOf(url: string, method: string, body: unknown, options: CallOptions = {}): Request {
  const { key = 'sim-key', headers = {}, signal } = options;
  return new Request(url, {
    method,
    headers: {
      ...(key === null ? {} : { 'x-svc-auth-token': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

export async function answered(response: Response) {
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, text, body: parse(text) };
}

function parse(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** The items of a list's answer. */
export function itemsOf({ body }: Answered): Json[] {
  return Array.isArray(body['items']) ? body['items'] : [];
}

export const aCampaignBody = (more: Json = {}): Json => ({
  trigger: 'welcome_message',
  action: 'send_message',
  name: 'Welcome',
  messages: [{ text: 'Hey' }],
  audience_filters: [],
  ...more,
});

export const aBroadcastBody = (more: Json = {}): Json => ({
  name: 'Teaser',
  messages: [{ text: 'Tomorrow' }],
  audience_filters: [],
  ...more,
});

/** A schedule two hours after the visit's clock starts. */
export const SCHEDULED = { scheduled_at: '2026-06-01T14:00:00Z', scheduled_at_timezone_mode: 'utc' };
