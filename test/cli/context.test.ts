import { describe, expect, it } from 'vitest';
import { shown } from '../../src/domain/visible.ts';
import type { EndSignal, Host } from '../../src/host/host.ts';
import { jobUrl } from '../../src/provider/job.ts';
import { readSurroundings } from '../../src/cli/context.ts';
import { aHost } from '../helpers/hosts.ts';

const FLAGS = { verbose: false, chdir: [], quiet: false };

it('an interrupt takes the place of the progress line', async () => {
  let written = '';
  const heard = new Map<EndSignal, () => void>();
  const host = aHost({
    stderr: { write: (text) => (written += String(text)), isTTY: true, columns: 80 },
    on: (event, listener) => heard.set(event, listener),
    off: (event) => heard.delete(event),
  });
  const context = readSurroundings(host, { ...FLAGS, color: false });
  const words = { first: 'Interrupted.', second: 'Left.' };
  await context.protect(() => {
    context.output.progress(shown`applying 1/2`);
    heard.get('SIGINT')?.();
    expect(() => heard.get('SIGINT')?.()).toThrow('left at once');
    return Promise.resolve();
  }, words);
  expect(written).toBe('applying 1/2\r\u001b[2K\nInterrupted.\n\nLeft.\n');
  expect(context.interrupted.aborted).toBe(true);
});

it.each([true, false])('has colour as FORCE_COLOR asks, unless a flag declines it: %j', (color) => {
  const host = aHost({ env: { FORCE_COLOR: '1' } });
  expect(readSurroundings(host, { ...FLAGS, color }).output.colour).toBe(color);
});

const GITHUB = {
  GITHUB_SERVER_URL: 'https://git.example',
  GITHUB_REPOSITORY: 'agency/ads',
  GITHUB_RUN_ID: '4711',
  GITHUB_ACTOR: 'ana',
};

const whoRuns = (env: Host['env']) =>
  readSurroundings(aHost({ env }), { ...FLAGS, color: false }).identity.who;

describe('the one who has a lease', () => {
  it('is named with its job in CI, and with a link to it, and is the user outside CI', () => {
    expect(whoRuns(GITHUB)).toBe('ana (job 4711)');
    expect(jobUrl(GITHUB)).toBe('https://git.example/agency/ads/actions/runs/4711');
    const gitlab = {
      CI_JOB_ID: '12',
      GITLAB_USER_LOGIN: 'bo',
      CI_JOB_URL: 'https://lab.example/a/-/jobs/12',
    };
    expect([whoRuns(gitlab), jobUrl(gitlab)]).toEqual(['bo (job 12)', 'https://lab.example/a/-/jobs/12']);
    expect(whoRuns({})).not.toBe('');
    expect(jobUrl({})).toBeNull();
  });

  it.each([
    ['a script', 'javascript:alert(1)'],
    ['a file', 'file:///etc/passwd'],
    ['no address', 'job 12'],
    ['one character longer than GitLab takes', `https://lab.example/${'x'.repeat(236)}`],
  ])('has no link that is %s', (_title, CI_JOB_URL) => {
    expect(jobUrl({ CI_JOB_URL })).toBeNull();
  });

  it('has a link without a password, a token and control characters', () => {
    const url = jobUrl({
      CI_JOB_URL: 'https://bo:hidden@lab.example/a\u001b[2J\u202e/12?token=hidden#hidden',
    });
    expect(url).toMatch(/^https:\/\/lab\.example\/[!-~]+$/);
    expect(url).not.toContain('hidden');
  });

  it('has one short line as its name, whatever the variables contain', () => {
    const who = whoRuns({ GITHUB_ACTOR: `a\u001b[31m\nb\u202e${'c'.repeat(500)}`, GITHUB_RUN_ID: '1\n2' });
    expect(who).toMatch(/^a \[31m b c+ \(job 1 2\)$/);
    expect(who.length).toBeLessThan(120);
  });
});
