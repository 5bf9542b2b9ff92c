import { describe, expect, it } from 'vitest';
import { renderPlanMarkdown } from '../../src/render/plan-markdown.ts';
import { aChange, aPlan } from '../helpers/plan-builders.ts';
import { outsideFences } from './markdown-reader.ts';

const LIMIT = 60_000;
const fields = [{ path: 'messages[0].text', old: 'live', new: 'file' }];

describe('the issue of a drift', () => {
  it('groups the differences by what they come from, first what someone changed on the service', () => {
    const text = draw([
      aChange({ action: 'replace', cause: 'files', name: 'Files', fields }),
      aChange({ action: 'replace', cause: 'both', name: 'Both', fields }),
      aChange({ action: 'replace', cause: 'service', name: 'Service', fields }),
      aChange({ action: 'create', name: 'New' }),
      aChange({ action: 'keep', name: 'Same' }),
    ]);
    expect(text.match(/^#### .*$/gm)).toEqual([
      '#### Changed on the service (1)',
      '#### Changed in the files and on the service (1)',
      '#### Not applied yet (1)',
      '#### Differs, and the state does not know why (1)',
    ]);
    expect(text.indexOf('Service</code>')).toBeLessThan(text.indexOf('Both</code>'));
    expect(text).toContain('- messages[0].text: "live"');
    expect(text).not.toContain('Same');
  });

  it('says that nothing differs', () => {
    expect(draw([aChange({ action: 'keep' })])).toMatch(/^### Herald drift: none\n/);
  });

  it.each([LIMIT, 20_000, 2_000])('fits into %d bytes, and says what is left out', (limit) => {
    const changes = Array.from({ length: 300 }, (_, at) =>
      aChange({
        action: 'replace',
        cause: 'service',
        account: `account-${at}`,
        name: `Campaign ${at}`,
        fields: [{ path: 'messages[0].text', old: 'x'.repeat(400), new: `y${at}` }],
      }),
    );
    const text = draw(changes, limit);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
    expect(text).toContain('Left out to fit: ');
    expect(() => outsideFences(text)).not.toThrow();
  });
});

function draw(changes: Parameters<typeof aPlan>[0], limit = LIMIT): string {
  return renderPlanMarkdown(aPlan(changes), { title: 'drift', limit });
}
