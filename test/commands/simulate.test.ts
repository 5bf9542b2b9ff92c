import { describe, expect, it } from 'vitest';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseWorld } from '../../src/simulator/world.ts';
import { builtHerald } from '../helpers/real-herald.ts';
import type { RealRun } from '../helpers/start-process.ts';
import { expectEnd } from '../helpers/flows.ts';

const herald = builtHerald();

const CAMPAIGNS = '/api/v0/accounts/101/auto-message-campaigns';
const headers = { 'x-svc-auth-token': 'sim-key', 'content-type': 'application/json' };

async function urlOf(run: RealRun): Promise<string> {
  for (;;) {
    const found = /http:\/\/[\d.]+:\d+/.exec(run.stdout())?.[0];
    if (found !== undefined) return found;
    await wait(5);
  }
}

async function create(url: string, name: string): Promise<void> {
  const body = JSON.stringify({ name, trigger: 'welcome_message', action: 'start_mimic' });
  const response = await fetch(`${url}${CAMPAIGNS}`, { method: 'POST', headers, body });
  expect(response.status).toBe(201);
}

describe('herald simulate', () => {
  it('serves, says where as a document, too, keeps the world in its file, and stops on an interrupt', async () => {
    const directory = herald.workspace({});
    const file = join(directory, 'world.json');
    const run = herald.start(directory, ['simulate', '--world', 'world.json']);
    const url = await urlOf(run);
    await create(url, 'Kept');
    run.kill('SIGINT');
    const ran = await run.ran;
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain(`HERALD_BASE_URL=${url} HERALD_API_KEY=sim-key herald plan`);
    const kept = parseWorld(readFileSync(file, 'utf8'));
    const campaigns = Object.values(kept.accounts['101']?.campaigns ?? {});
    expect(campaigns.map(({ live }) => live.name)).toEqual(['Kept']);

    const again = herald.start(directory, ['simulate', '--world', 'world.json', '--format', 'json']);
    const served = await urlOf(again);
    const response = await fetch(`${served}${CAMPAIGNS}`, { headers });
    expect(JSON.stringify(await response.json())).toContain('Kept');
    const before = statSync(file).mtimeMs;
    again.kill('SIGTERM');
    const { code, stdout } = await again.ran;
    const item = { url: served, api_key: 'sim-key', control_url: `${served}/__sim/` };
    expect([code, JSON.parse(stdout)]).toEqual([0, { schema: 'herald/item/1', item }]);
    expect(statSync(file).mtimeMs, 'reads alone save nothing').toBe(before);
  });

  it('begins with what a person made, and carries out a call without an answer', async () => {
    const args = ['simulate', '--world', 'world.json', '--demo', '--lose-answer', 'campaigns.create'];
    const directory = herald.workspace({});
    const names = async (url: string) => {
      const response = await fetch(`${url}${CAMPAIGNS}`, { headers });
      const { items } = (await response.json()) as { readonly items: readonly { readonly name: string }[] };
      return items.map(({ name }) => name).toSorted();
    };
    const run = herald.start(directory, args);
    const url = await urlOf(run);
    expect(await names(url)).toEqual(['Studio tour', 'Welcome']);
    const list = '/api/v0/accounts/101/priority-mass-message-campaigns';
    const broadcasts = await fetch(`${url}${list}`, { headers });
    // A whole hour, so that an import takes it.
    expect(await broadcasts.text()).toMatch(/"scheduled_at":"[^"]*:00:00/);
    await expect(create(url, 'Lost')).rejects.toThrow('fetch failed');
    await create(url, 'Heard');
    const all = ['Heard', 'Lost', 'Studio tour', 'Welcome'];
    expect(await names(url)).toEqual(all);
    run.kill('SIGINT');
    expect((await run.ran).code).toBe(0);

    const again = herald.start(directory, args);
    expect(await names(await urlOf(again)), 'a kept world gets nothing more').toEqual(all);
    again.kill('SIGINT');
    await again.ran;
  });

  it('does not begin when its world cannot be written', async () => {
    const directory = herald.workspace({ 'no-folder': 'a file' });
    const run = await herald.start(directory, ['simulate', '--world', 'no-folder/world.json']).ran;
    expect([run.code, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toMatch(
      /^error: The world cannot be written to no-folder\/world\.json: a file with this name exists\. /,
    );
  });

  it('stops when its world can no longer be written', async () => {
    const directory = herald.workspace({});
    mkdirSync(join(directory, 'worlds'));
    const run = herald.start(directory, ['simulate', '--world', 'worlds/world.json']);
    const url = await urlOf(run);
    rmSync(join(directory, 'worlds'), { recursive: true });
    writeFileSync(join(directory, 'worlds'), 'a file');
    await create(url, 'Lost');
    const ran = await run.ran;
    expectEnd(ran, 1, 'The world cannot be written to worlds/world.json: a file with this name exists. ');
    await expect(fetch(url)).rejects.toThrow();
  });
});
