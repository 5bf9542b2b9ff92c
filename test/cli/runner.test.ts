import { describe, expect, it } from 'vitest';
import { createContext } from '../../src/cli/wiring.ts';
import type { Host } from '../../src/host/host.ts';
import { jobUrl } from '../../src/provider/job.ts';
import { aHost } from '../helpers/hosts.ts';

const GITHUB = {
  GITHUB_SERVER_URL: 'https://git.example',
  GITHUB_REPOSITORY: 'agency/ads',
  GITHUB_RUN_ID: '4711',
  GITHUB_ACTOR: 'ana',
};

const FLAGS = { verbose: false, chdir: [], color: false, quiet: true };
const whoRuns = (env: Host['env']) => createContext(aHost({ env }), FLAGS).identity.who;

describe('the one who has a lease', () => {
  it('is named with its job in CI, and with a link to it', () => {
    expect(whoRuns(GITHUB)).toBe('ana (job 4711)');
    expect(jobUrl(GITHUB)).toBe('https://git.example/agency/ads/actions/runs/4711');
    const gitlab = {
      CI_JOB_ID: '12',
      GITLAB_USER_LOGIN: 'bo',
      CI_JOB_URL: 'https://lab.example/a/-/jobs/12',
    };
    expect([whoRuns(gitlab), jobUrl(gitlab)]).toEqual(['bo (job 12)', 'https://lab.example/a/-/jobs/12']);
  });

  it('is the user outside CI', () => {
    expect(whoRuns({})).not.toBe('');
    expect(jobUrl({})).toBeNull();
  });

  it.each([
    ['a script', 'javascript:alert(1)'],
    ['a file', 'file:///etc/passwd'],
    ['no address', 'job 12'],
    ['a very long address', `https://lab.example/${'x'.repeat(400)}`],
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
