import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/domain/change.ts';
import { renderPlanPage } from '../../src/page/page.tsx';
import { SAMPLE_PLAN } from './sample-plan.ts';

/** The sample with other contents. */
function withContents(change: (content: NonNullable<Plan['contents']>[number]) => object): Plan {
  return {
    ...SAMPLE_PLAN,
    contents: (SAMPLE_PLAN.contents ?? []).map((content) => ({ ...content, ...change(content) })),
  };
}

/** What a browser shows, without its tags. */
function wordsOf(html: string): string {
  return html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

describe('a page of odd values', () => {
  it('shows a status, a trigger and a kind of media that it does not know as they are', () => {
    const plan = withContents(() => ({
      status: 'levitating',
      trigger: 'full_moon',
      scheduled_at: undefined,
      messages: [{ text: 'Hello', attachments: [{ type: 'hologram', id: '99' }] }],
    }));
    const words = wordsOf(renderPlanPage(plan));
    expect(words).toContain('Trigger full_moon');
    expect(words).toContain('Hologram 99');
  });

  it('shows a medium without a known picture by its name', () => {
    const plan = withContents(() => ({
      messages: [{ text: 'Hello', attachments: [{ type: 'image', file: 'media/gone.png', size: 2_048 }] }],
    }));
    const html = renderPlanPage(plan, { pictures: new Map() });
    expect(html).not.toContain('class="pic"');
    expect(wordsOf(html)).toMatch(/Photo media\/gone\.png free, 2(?:\.0)? KiB Its file was not read/);
  });
});
