import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CATALOGUE } from '../src/api/catalogue.ts';
import { sharedCampaign } from './campaigns.ts';
import { heraldScript } from './herald.ts';
import { compareWithBound, median, type Comparison } from './pairs.ts';
import { measure } from './process.ts';
import { startService } from './service.ts';
import { accountIdOf, aliasOf, workspaceText, writeFiles } from './workspace.ts';

const ACCOUNTS = 80;
const RIVAL_SEC = 12;
/** Side by side, each with a service of its own. */
const RUNS = 5;
/** Herald is back once it gets this part of the endpoint's rate again. */
const BACK_AT = 0.8;
/** From a half, at a twentieth of its share in each quiet second, with some seconds for the noise. */
const BACK_WITHIN_SEC = 12;

/** A plan while another process asks the same list with the same key at half of its rate, and what comes after. */
export async function benchContention(): Promise<readonly Comparison[]> {
  heraldScript();
  const fights = await Promise.all(Array.from({ length: RUNS }, () => fight()));
  const throttled = median(fights.map((one) => one.throttled));
  const note = `${throttled} of Herald's requests answered 429`;
  return [
    compareWithBound(
      {
        name: `plan over ${ACCOUNTS} accounts next to a rival: back at the full rate after`,
        reference: `${BACK_WITHIN_SEC} s`,
        unit: 's',
        budget: 1,
        note,
      },
      fights.map(({ backAfterSec }) => backAfterSec),
      BACK_WITHIN_SEC,
    ),
    compareWithBound(
      {
        name: 'the farthest that an account was served from its place in the order',
        reference: 'those of one second',
        unit: 'places',
        budget: 1,
        note: 'what leaves together may arrive in any order',
      },
      fights.map(({ displaced }) => displaced),
      CATALOGUE['campaigns.list'].perSecond,
    ),
  ];
}

interface Fight {
  readonly backAfterSec: number;
  readonly throttled: number;
  /** The most places by which an account was served before or after its turn. */
  readonly displaced: number;
}

async function fight(): Promise<Fight> {
  // One more account, which only the rival asks for: that tells the two apart.
  const service = await startService(ACCOUNTS + 1);
  const directory = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  try {
    const aliases = Array.from({ length: ACCOUNTS }, (_, index) => aliasOf(index)).join(', ');
    writeFiles(directory, {
      'herald.yaml': workspaceText(ACCOUNTS),
      'live/all.yaml': sharedCampaign(aliases),
    });
    const rivalEnded = startRival(service.url);
    await measure([heraldScript(), '-C', directory, 'plan', '--allow', 'large'], { env: service.env });
    const endedMs = await rivalEnded;
    const { requests } = await service.oracle();
    const ours = requests
      .filter(
        ({ operation, path }) => operation === 'campaigns.list' && !path.includes(accountIdOf(ACCOUNTS)),
      )
      .map(({ at, status, path }) => ({ atMs: Date.parse(at), status, path }));
    const served = ours.filter(({ status }) => status === 200);
    const accounts = served.map(({ path }) => Number(/accounts\/(\d+)\//.exec(path)?.[1]));
    return {
      backAfterSec: backAfterSec(
        served.map(({ atMs }) => atMs),
        endedMs,
      ),
      throttled: ours.filter(({ status }) => status === 429).length,
      displaced: displacement(accounts),
    };
  } finally {
    service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

function displacement(served: readonly number[]): number {
  const places = new Map(
    served.toSorted((left, right) => left - right).map((account, place) => [account, place]),
  );
  return Math.max(0, ...served.map((account, index) => Math.abs(index - (places.get(account) ?? index))));
}

/** Seconds from the rival's end until the first second in which enough requests are served; Infinity when never. */
function backAfterSec(servedMs: readonly number[], endedMs: number): number {
  const enough = BACK_AT * CATALOGUE['campaigns.list'].perSecond;
  const back = servedMs.find(
    (atMs) =>
      atMs >= endedMs && servedMs.filter((other) => other >= atMs && other < atMs + 1000).length >= enough,
  );
  return back === undefined ? Number.POSITIVE_INFINITY : (back - endedMs) / 1000;
}

/** Resolves with the time of its end, epoch milliseconds. */
async function startRival(url: string): Promise<number> {
  const perSecond = CATALOGUE['campaigns.list'].perSecond / 2;
  const args = ['bench/rival.ts', url, accountIdOf(ACCOUNTS), String(perSecond), String(RIVAL_SEC)];
  const rival = spawn(process.execPath, ['scripts/run.js', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(rival, 'close');
  return Date.now();
}
