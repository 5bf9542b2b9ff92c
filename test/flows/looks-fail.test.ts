import { afterEach, describe, expect, it, vi } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { altered } from '../helpers/altered.ts';
import { applied, dieBefore, messages, outcomes } from '../helpers/flows.ts';
import { LEDGER_FILE } from '../helpers/scene.ts';

afterEach(() => vi.unstubAllGlobals());

const SINGLE = /-campaigns\/\d+$/;

/** A service with single reads that answer otherwise once `bend` is set. */
function bentReads() {
  const state = { bend: null as null | ((answer: () => Promise<Response>) => Promise<Response>) };
  const service = altered((request, answer) =>
    state.bend !== null && request.method === 'GET' && SINGLE.test(new URL(request.url).pathname)
      ? state.bend(answer)
      : answer(),
  );
  return { ...service, state };
}

type Service = ReturnType<typeof bentReads>;

const answering =
  (status: number, headers: Record<string, string> = {}) =>
  () =>
    Promise.resolve(new Response('{}', { status, headers }));

/** The object as it really is, with another status. */
const showing = (set: object) => async (answer: () => Promise<Response>) => {
  const response = await answer();
  return new Response(JSON.stringify({ ...((await response.json()) as object), ...set }), {
    status: response.status,
  });
};

const UNREAD = [
  ['a 404', answering(404)],
  ['a 500', answering(500)],
  ['a 502', answering(502)],
  ['a 429', answering(429, { 'retry-after': '120' })],
  ['a body that is none', answering(200)],
  ['no answer at all', () => new Promise<Response>(() => undefined)],
  ['no connection', () => Promise.reject(new TypeError('fetch failed'))],
] as const;

const declare = ({ scene }: Service, parts: Parameters<typeof declaring>[0]) =>
  Object.assign(scene.files.tree, declaring(parts));

/** How often a change was asked for since. */
function changes({ simulator }: Service): number {
  return simulator.control.oracle().requests.filter(({ method }) => method === 'PATCH').length;
}

describe('a look that fails', () => {
  it.each(UNREAD)('(%s) keeps no campaign and no broadcast from being stopped', async (_, bend) => {
    const service = bentReads();
    declare(service, { campaigns: [campaign()], broadcasts: [broadcast()] });
    await applied(service.scene);
    declare(service, {
      campaigns: [campaign({ status: 'paused' })],
      broadcasts: [broadcast({ status: 'paused' })],
    });
    service.state.bend = bend;
    const run = await applied(service.scene);
    expect(run.code, messages(run)).toBe(0);
    expect(outcomes(run)).toEqual(['pause applied', 'pause applied']);
    expect(changes(service)).toBe(2);
  });

  it('holds a stop up for some seconds at most', async () => {
    const service = bentReads();
    declare(service, { campaigns: [campaign()] });
    await applied(service.scene);
    declare(service, { campaigns: [campaign({ status: 'paused' })] });
    service.state.bend = () => new Promise<Response>(() => undefined);
    const from = service.scene.clock.now();
    let pausedAfterMs = Infinity;
    service.scene.files.onWrite = (path, text) => {
      if (path === LEDGER_FILE && text.includes('"target":"paused"'))
        pausedAfterMs = service.scene.clock.now() - from;
      return 'done';
    };
    await applied(service.scene);
    expect(pausedAfterMs).toBeLessThanOrEqual(7_000);
  });

  it.each(UNREAD)('(%s) starts nothing, and says why', async (_, bend) => {
    const service = bentReads();
    declare(service, { campaigns: [campaign()] });
    await applied(service.scene);
    declare(service, { campaigns: [campaign({ status: 'paused' })] });
    await applied(service.scene);
    declare(service, { campaigns: [campaign()] });
    service.state.bend = bend;
    const before = changes(service);
    const run = await applied(service.scene);
    expect(outcomes(run)).toEqual(['activate failed']);
    expect(run.code).toBe(1);
    expect(messages(run)).toContain('could not be checked first, so it was not activated');
    expect(changes(service)).toBe(before);
  });

  it('resumes a broadcast by what the list shows', async () => {
    const service = bentReads();
    declare(service, { broadcasts: [broadcast()] });
    await applied(service.scene);
    declare(service, { broadcasts: [broadcast({ status: 'paused' })] });
    await applied(service.scene);
    declare(service, { broadcasts: [broadcast()] });
    service.state.bend = answering(502);
    const run = await applied(service.scene);
    expect([run.code, outcomes(run)]).toEqual([0, ['resume applied']]);
  });
});

describe('a single read that lags', () => {
  it.each([1, 2])('keeps no campaign from being stopped (%i reads)', async (times) => {
    const service = bentReads();
    declare(service, { campaigns: [campaign()] });
    await applied(service.scene);
    declare(service, { campaigns: [campaign({ status: 'paused' })] });
    let left: number = times;
    service.state.bend = (answer) => {
      left -= 1;
      return left < 0 ? answer() : showing({ status: 'archived' })(answer);
    };
    const run = await applied(service.scene);
    expect([run.code, outcomes(run)]).toEqual([0, ['pause applied']]);
  });

  it('after the pause of a broadcast is checked with the list', async () => {
    const service = bentReads();
    declare(service, { broadcasts: [broadcast()] });
    await applied(service.scene);
    declare(service, { broadcasts: [broadcast({ status: 'paused' })] });
    service.state.bend = showing({ status: 'scheduled' });
    const run = await applied(service.scene);
    expect([run.code, outcomes(run)]).toEqual([0, ['pause applied']]);
    expect(messages(run)).toContain('the list shows that it succeeded');
  });
});

describe('a change of an earlier run that is asked for once more', () => {
  /** A run was killed before it heard that its change was carried out. */
  async function halfDone(status: 'active' | 'paused') {
    const service = bentReads();
    declare(service, { campaigns: [campaign()] });
    await applied(service.scene);
    if (status === 'active') {
      declare(service, { campaigns: [campaign({ status: 'paused' })] });
      await applied(service.scene);
    }
    declare(service, { campaigns: [campaign({ status })] });
    await dieBefore(service.scene, (line) => line.includes('"type":"outcome"'));
    service.scene.clock.move(120_000);
    return { service, before: changes(service) };
  }

  it.each([
    ['active', 'recalled'],
    ['active', 'archived'],
    ['active', 'paused'],
    ['paused', 'recalled'],
    ['paused', 'archived'],
    ['paused', 'active'],
  ] as const)('(%s) is left alone once a person has made it %s', async (status, moved) => {
    const { service, before } = await halfDone(status);
    service.state.bend = showing({ status: moved });
    const run = await service.scene.herald('apply', '--yes');
    expect(run.code).toBe(3);
    expect(run.stdout.replaceAll(/\s+/g, ' ')).toContain(
      `was ${status} in the list, but is ${moved} now, so Herald did not set it to ${status} again`,
    );
    expect(changes(service)).toBe(before);
  });

  it.each(['active', 'paused'] as const)('(%s) is asked for where nothing has moved', async (status) => {
    const { service, before } = await halfDone(status);
    expect((await applied(service.scene)).code).toBe(0);
    expect(changes(service)).toBe(before + 1);
  });

  it('a stop without a look, a start not', async () => {
    const stop = await halfDone('paused');
    stop.service.state.bend = answering(404);
    expect((await applied(stop.service.scene)).code).toBe(0);
    expect(changes(stop.service)).toBe(stop.before + 1);
    vi.unstubAllGlobals();
    const start = await halfDone('active');
    start.service.state.bend = answering(404);
    const run = await start.service.scene.herald('apply', '--yes');
    expect(run.code).toBe(3);
    expect(changes(start.service)).toBe(start.before);
  });
});

describe('a change with requests that get no answer', () => {
  async function silentActivation(when: 'before_commit' | 'after_commit') {
    const service = bentReads();
    declare(service, { campaigns: [campaign()] });
    await applied(service.scene);
    declare(service, { campaigns: [campaign({ status: 'paused' })] });
    await applied(service.scene);
    declare(service, { campaigns: [campaign()] });
    const fault = { kind: 'broken_answer', how: '502', nth: 1, times: 6 } as const;
    service.simulator.control.addFault({ ...fault, when, operation: 'campaigns.set-status' });
    return { service, before: changes(service) };
  }

  it.each(['recalled', 'archived'])('is not repeated once a person has made it %s', async (status) => {
    const { service, before } = await silentActivation('before_commit');
    const { control } = service.simulator;
    let looks = 0;
    service.state.bend = (answer) => {
      looks += 1;
      const id = Object.keys(service.world.accounts['101']?.campaigns ?? {})[0] ?? '';
      if (looks === 2) control.editCampaign('101', id, { status });
      return answer();
    };
    const run = await applied(service.scene);
    expect(run.code).not.toBe(0);
    const [live] = Object.values(service.world.accounts['101']?.campaigns ?? {});
    expect(live?.live.status).toBe(status);
    expect(changes(service) - before).toBeLessThan(6);
  });

  it('is repeated where only its own effect shows', async () => {
    const { service } = await silentActivation('after_commit');
    const run = await applied(service.scene);
    expect([run.code, outcomes(run)]).toEqual([0, ['activate applied']]);
  });
});
