import { describe, expect, it } from 'vitest';
import { aScene } from '../helpers/scene.ts';

describe('the sums below a table', () => {
  it('are by account and currency, apart from the rows', async () => {
    const { stdout, stderr } = await aScene().herald('payouts', 'balances');
    expect(stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(stderr).toMatch(
      /Totals of these rows:\naccount +currency +rows +payoutAvailable +payoutPending\nalice +\w+ +1 +[\d.]+ +[\d.]+\nbob /,
    );
  });

  it('are left out by --quiet, and by formats for programs', async () => {
    const scene = aScene();
    for (const flags of [['-q'], ['--format', 'csv'], ['--format', 'json']])
      expect((await scene.herald('payouts', 'balances', ...flags)).stderr).not.toContain('Totals');
  });
});
