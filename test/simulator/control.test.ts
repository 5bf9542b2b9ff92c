import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CONTROL_PATHS } from '../../src/simulator/simulator.ts';
import { modesShape } from '../../src/simulator/modes.ts';
import { aCampaignBody, aVisit, CAMPAIGNS } from './visit.ts';

const bare = { key: null };

describe('the control surface', () => {
  it('needs no key and is not a part of the service', async () => {
    const { call } = aVisit();
    await call('POST', CAMPAIGNS, aCampaignBody());
    const { status, body } = await call('GET', '/__sim/oracle', undefined, bare);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      now: '2026-06-01T12:00:00.000Z',
      throttled: 0,
      requests: [{ request: 1, method: 'POST', operation: 'campaigns.create', status: 201 }],
      commits: [{ change: 'create', kind: 'campaign', account_id: '101', name: 'Welcome' }],
    });
  });

  it('accepts every example of its list, in order', async () => {
    const { call } = aVisit();
    for (const { method, path, ...rest } of CONTROL_PATHS) {
      const answer = await call(method, path, 'body' in rest ? rest.body : undefined, bare);
      expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(200);
    }
  });

  it('is as the reference describes it', () => {
    const page = readFileSync('docs/reference/simulator.md', 'utf8');
    for (const { method, path, does, ...rest } of CONTROL_PATHS) {
      expect(page).toMatch(new RegExp(`\\| \`${method} ${path}\` +\\| ${does} +\\|`));
      if ('body' in rest) expect(page).toContain(`\`${JSON.stringify(rest.body)}\``);
    }
    const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    for (const [mode, value] of Object.entries(modesShape.parse({})))
      expect(rows).toContainEqual([
        '',
        `\`${mode}\``,
        `\`${JSON.stringify(value)}\``,
        ...Array(3).fill(expect.any(String)),
      ]);
  });

  it.each<[string, unknown, string]>([
    ['/__sim/clock', { advance_sec: -1 }, 'advance_sec'],
    ['/__sim/clock', '{', 'JSON'],
    ['/__sim/edit', { account_id: '101', kind: 'campaign', set: {} }, 'give an id or a name'],
    ['/__sim/edit', { account_id: '101', kind: 'campaign', id: '5', set: {} }, '5'],
    ['/__sim/edit', { account_id: '101', kind: 'letter', set: {} }, 'kind'],
    ['/__sim/seed', { account_id: '555', kind: 'campaign' }, '555'],
    ['/__sim/seed', { account_id: '101', kind: 'campaign', set: { nmae: 'x' } }, 'nmae'],
    ['/__sim/seed', { account_id: '101', kind: 'campaign', set: { id: '7' } }, 'id 7 exists already'],
    ['/__sim/keys', { key: 'x', permissions: ['everything'] }, 'permissions'],
    ['/__sim/faults', { kind: 'earthquake' }, 'kind'],
    ['/__sim/faults', { kind: 'throttle', operation: 'campaigns.destroy' }, 'not an operation'],
    ['/__sim/modes', { errorBody: 'poem' }, 'errorBody'],
    ['/__sim/modes', 'null', 'object'],
    ['/__sim/trigger', { account_id: '555', trigger: 'x', fan_id: '1' }, '555'],
    ['/__sim/accounts', { id: '101' }, '101'],
  ])('answers 400 to %s with %j and says what is wrong', async (path, body, said) => {
    const { call, control } = aVisit();
    control.seedCampaign('101', { id: '7' });
    const { status, body: answer } = await call('POST', path, body, bare);
    expect(status).toBe(400);
    expect(answer['message']).toContain(said);
  });
});

it('a path that does not exist is a 404 that names the list of paths', async () => {
  const answer = await aVisit().call('POST', '/__sim/nothing', {}, bare);
  expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('GET /__sim/ lists its paths')]);
});
