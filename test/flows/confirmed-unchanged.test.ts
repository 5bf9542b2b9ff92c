import { afterEach, describe, expect, it, vi } from 'vitest';
import { altered } from '../helpers/altered.ts';
import { byHand } from '../helpers/by-hand.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, messages, outcomes } from '../helpers/flows.ts';

afterEach(() => vi.unstubAllGlobals());

const CAMPAIGN = { name: 'Welcome', trigger: 'welcome_message', messages: [{ text: 'Hey' }] };
const BROADCAST = {
  name: 'Teaser',
  scheduled_at: '2026-06-01T15:00:00.000Z',
  messages: [{ text: 'Tomorrow' }],
};

/** Answers each change as done, and carries none out. */
function doesNothing(files: Record<string, string> = {}) {
  return altered(
    async (request, answer) => {
      if (request.method === 'GET') return answer();
      const dated = { headers: { date: (await answerOf(request)).date } };
      if (request.method === 'POST') return new Response(null, { status: 204, ...dated });
      const { status } = (await request.json()) as { status: string };
      return request.url.includes('auto-message')
        ? new Response(null, { status: 204, ...dated })
        : Response.json({ status }, dated);
    },
    { files },
  );
}

/** Without a date, no request could be dated. */
async function answerOf(_request: Request) {
  return { date: new Date(Date.UTC(2026, 5, 1, 12)).toUTCString() };
}

describe('a change that the service confirms and does not carry out', () => {
  it.each([
    ['campaigns', 'pause', 'active'],
    ['campaigns', 'archive', 'active'],
    ['campaigns', 'activate', 'paused'],
    ['campaigns', 'recall', 'active'],
    ['broadcasts', 'pause', 'scheduled'],
    ['broadcasts', 'resume', 'paused'],
  ] as const)('is unknown by hand: %s %s', async (plural, verb, status) => {
    const { scene, simulator } = doesNothing();
    const { id } =
      plural === 'campaigns'
        ? simulator.control.seedCampaign('101', { ...CAMPAIGN, status })
        : simulator.control.seedBroadcast('101', { ...BROADCAST, status });
    const run = await byHand(scene, plural, verb, id);
    expect(run.code, run.stdout + run.stderr).toBe(3);
    expect(run.stdout).toContain(`${id} still reads as ${status}`);
    expect(run.stdout).toContain(`herald ${plural} ${verb} ${id} --account alice`);
  });

  it.each([
    ['pause', declaring({ campaigns: [campaign({ status: 'paused' })] }), 'active'],
    ['archive', declaring({ campaigns: [campaign({ status: 'archived' })] }), 'active'],
    ['pause', declaring({ broadcasts: [broadcast({ status: 'paused' })] }), 'scheduled'],
  ] as const)('is unknown for an apply: %s', async (action, files, status) => {
    const { scene, simulator } = doesNothing(files);
    if (status === 'active') simulator.control.seedCampaign('101', CAMPAIGN);
    else simulator.control.seedBroadcast('101', BROADCAST);
    const run = await applied(scene, '--allow', 'adopt');
    expect([run.code, outcomes(run)], messages(run)).toEqual([3, [`${action} unknown`]]);
    expect(messages(run)).toMatch(/still reads as .*, although the service confirmed .*: herald plan/);
  });
});
