import { describe, expect, it } from 'vitest';
import { CHANGE_KINDS } from '../../src/domain/change-kinds.ts';
import { planShape, type Plan } from '../../src/domain/change.ts';
import { renderPlanPage } from '../../src/page/page.tsx';
import { planOfPage } from '../../src/page/read-back.ts';
import { aChange, aPlan } from '../helpers/plan-builders.ts';
import { HOSTILE_TEXTS, withTexts } from './hostile.ts';
import { SAMPLE_PLAN } from './sample-plan.ts';

const page = (plan: Plan, options: Parameters<typeof renderPlanPage>[1] = {}) =>
  renderPlanPage(plan, options);

/** What a browser shows, as far as tags can be left out. */
function wordsOf(html: string): string {
  return html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');
}

describe('a page', () => {
  it('is made from a plan that the schema allows', () => {
    expect(planShape.safeParse(SAMPLE_PLAN).error).toBeUndefined();
  });

  it('says first what service it is about, what changes, and what needs a person', () => {
    const words = wordsOf(page(SAMPLE_PLAN));
    const order = [
      'Real service',
      'https://api.example',
      'northlight',
      'planned Fri 27 Mar 2026 14:32 Europe/Berlin (13:32 UTC)',
      '40 changes on 12 accounts, 1 blocked',
      'leaves out the blocked one and exits with 5. 21 live at once.',
      'Before you approve',
      '2 cannot be undone',
      '1 blocked',
      'herald apply --allow resume',
      '1 warning',
      '4 deadlines',
      'Changes',
      'Calendar',
      'Matrix',
    ];
    let at = 0;
    for (const part of order) {
      const next = words.indexOf(part, at);
      expect(next, part).toBeGreaterThanOrEqual(at);
      at = next;
    }
  });

  it('names the declared zone of every time, and UTC', () => {
    const html = page(SAMPLE_PLAN);
    const elsewhere = html.replace(/<section id="calendar"[\s\S]*?<\/section>/, '');
    const times = [...elsewhere.matchAll(/<time[^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(times.length).toBeGreaterThan(4);
    for (const time of times) expect(time).toMatch(/ 2026 \d\d:\d\d Europe\/Berlin \(.*\d\d:\d\d UTC\)$/);
    const newYork = { ...SAMPLE_PLAN, contents: SAMPLE_PLAN.contents?.map((one) => ({ ...one })) };
    const [first] = newYork.deadlines?.filter(({ what }) => what === 'sends') ?? [];
    for (const one of newYork.contents ?? []) if (one.name === first?.name) one.timezone = 'America/New_York';
    const due = /<ul class="due">[\s\S]*?<\/ul>/.exec(page(newYork))?.[0] ?? '';
    expect(due).toContain('America/New_York (');
    expect(due).toContain('Europe/Berlin (');
  });

  it('calls a simulator a simulator', () => {
    const plan = { ...SAMPLE_PLAN, service: { ...SAMPLE_PLAN.service, simulator: true } };
    expect(wordsOf(page(plan))).toContain('Simulator');
    expect(wordsOf(page(plan))).not.toContain('Real service');
  });

  it('shows the same edit on many accounts once, with the accounts that differ', () => {
    const words = wordsOf(page(SAMPLE_PLAN));
    expect(words.match(/Replace campaign\./g)).toHaveLength(1);
    expect(words).toContain('Differs in the text of message 1. 2 accounts differ from the rest.');
    expect(words).toContain('12 accounts');
    expect(words).toMatch(/hugo *Message 3, price *live: *\$9\.99 *file: *\$11\.99/);
  });

  it('marks the words that differ, and keeps variables where accounts have their own', () => {
    const html = page(SAMPLE_PLAN);
    expect(html).toContain('<del>joining</del>');
    expect(html).toContain('<ins>being here</ins>');
    expect(html).toContain('Hey, it is {{first_name}}');
  });

  it('shows what a fan gets: delays, locked media, price, variables and banned words', () => {
    const html = page(SAMPLE_PLAN);
    const words = wordsOf(html);
    for (const part of [
      'A fan subscribes',
      '30–90 s later',
      '1 h later',
      '1 day later',
      'Video 55013',
      'locked',
      'Unlock for $9.99',
      'Not read after 7 days: recalled',
    ])
      expect(words).toContain(part);
    expect(html).toContain('<span class="var" data-var="first_name">Alba</span>');
    expect(html).toContain('<mark>Guaranteed results</mark>');
  });

  it('has each broadcast in the calendar at its time, and the old time of one that moves', () => {
    const html = page(SAMPLE_PLAN);
    expect(html).toMatch(/class="ev new q76 late">.{1,120}<time datetime="2026-03-29T17:00:00\.000Z">19:00</);
    expect(html).toMatch(
      /class="ev ghost q76 late">.{1,120}<time datetime="2026-03-28T18:00:00\.000Z">19:00</,
    );
    const words = wordsOf(html);
    expect(html.match(/class="ev[ "]/g)).toHaveLength(10);
    expect(words).toContain('Times in Europe/Berlin.');
    expect(words).toContain('Sun 29 MarClocks +1 h');
    expect(words).toContain('Wed 1 Apr4 at once on gia');
    expect(words).toContain('Sat 28 MarIn quiet hours');
    expect(words).toContain(
      '4 at once on gia, Wed 1 Apr 2026 18:00 Europe/Berlin (16:00 UTC). The service runs 3 at a time, in random order.',
    );
    expect(words).toContain('Late session on alba, cleo and kira goes out in the quiet hours');
    expect(words).toContain('Sunday stretch and Spring challenge reach the same fans of 4 accounts');
  });

  it('has a cell for each resource and account, and says in words what is missing', () => {
    const words = wordsOf(page(SAMPLE_PLAN));
    expect(words).toMatch(/Practice week *(create *){9}(missing *){3}9 of 12/);
    expect(words).toContain('all 12');
  });
});

describe('a page holds its plan', () => {
  it('and gives it back unchanged', () => {
    expect(planOfPage(page(SAMPLE_PLAN))).toEqual({ title: 'plan', document: SAMPLE_PLAN });
    expect(planOfPage(page(SAMPLE_PLAN, { title: 'drift' }))?.title).toBe('drift');
  });

  it.each(HOSTILE_TEXTS.map((text) => [text.slice(0, 20), text]))(
    'also with %j in every field',
    (_, text) => {
      const plan = withTexts(SAMPLE_PLAN, text);
      expect(planOfPage(page(plan))?.document).toEqual(plan);
    },
  );

  it('and any other text holds none', () => {
    expect(planOfPage('')).toBeNull();
    expect(planOfPage('<html><script type="application/json" id="plan">{}</script></html>')).toBeNull();
    expect(planOfPage('<script type="application/json" id="plan" data-title="plan">{"a":')).toBeNull();
  });
});

describe('text from outside', () => {
  it.each(HOSTILE_TEXTS.map((text) => [text.slice(0, 20), text]))('never becomes markup: %j', (_, text) => {
    const html = page(withTexts(SAMPLE_PLAN, text), {
      pictures: new Map([[text, { kind: 'shown', url: 'data:image/png;base64,AA==' }]]),
    });
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html.match(/<style/g)).toHaveLength(1);
    const tags = html.replace(/<(script|style)[\s\S]*?<\/\1>/g, '').match(/<[^>]*>/g) ?? [];
    for (const tag of tags) {
      expect(tag.replace(/"[^"]*"/g, '""')).not.toMatch(/\son\w+=|\sstyle=/);
      expect(tag).not.toMatch(/(?:href|src)="(?!#|data:(?:image\/|text\/calendar;base64,[\w+/=]*"))/);
    }
  });

  it('shows characters that could disguise it as their code', () => {
    const html = page(withTexts(SAMPLE_PLAN, 'invoice\u202Egpj.exe\u0000'));
    expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u0000]/);
    expect(wordsOf(html)).toContain('invoiceU+202Egpj.exeU+0000');
  });

  it('of a megabyte in every text is cut to what can be read, and is whole in the plan', () => {
    const plan: Plan = {
      ...SAMPLE_PLAN,
      contents: SAMPLE_PLAN.contents?.map((content) => ({
        ...content,
        messages: [{ text: 'word '.repeat(200_000) }],
      })),
    };
    const html = page(plan);
    expect(wordsOf(html)).toContain('The rest, 999,');
    expect(planOfPage(html)?.document).toEqual(plan);
  });
});

describe('a page of little', () => {
  it('without changes says so, and still has its matrix', () => {
    const words = wordsOf(
      page(aPlan([aChange({ action: 'keep' }), aChange({ account: 'bob', action: 'keep' })])),
    );
    expect(words).toContain('No changes');
    expect(words).toContain('2 resources match.');
    expect(words).toContain('Nothing needs a decision.');
    expect(words).toContain('No broadcasts in the next 14 days.');
    expect(words).toContain('all 2');
  });

  it('with a change that may be half done does not say that nothing changes', () => {
    const found = { severity: 'warning', code: 'half-done', message: 'It may be half done.' } as const;
    const words = wordsOf(page(aPlan([aChange({ action: 'keep' })], { diagnostics: [found] })));
    expect(words).toContain('1 change may be half done. 1 resource matches.');
    expect(words).not.toContain('No changes');
  });

  it('without accounts says so', () => {
    expect(wordsOf(page(aPlan([])))).toContain('No accounts in this workspace.');
  });

  it('of an earlier version, without facts, is still a page', () => {
    const words = wordsOf(
      page(aPlan(CHANGE_KINDS.map((action) => aChange({ action, name: `Of ${action}` })))),
    );
    expect(words).toContain('8 changes on 1 account');
  });

  it('with unknown zones, times and references is still a page', () => {
    const plan: Plan = {
      ...SAMPLE_PLAN,
      planned_at: 'soon',
      policy: { quiet_hours: { from: 'x', to: 'y', timezone: 'Mars/Olympus' } },
      contents: SAMPLE_PLAN.contents?.map((content) => ({
        ...content,
        timezone: 'Mars/Olympus',
        scheduled_at: 'later',
      })),
      changes: SAMPLE_PLAN.changes.map((change) => ({ ...change, content: 99 })),
      deadlines: [{ at: 'never', what: 'sends', kind: 'broadcast', name: 'X', accounts: [] }],
    };
    expect(wordsOf(page(plan))).toContain('40 changes on 12 accounts');
  });
});

describe('the page is closed', () => {
  it('its policy names the hash of each script and style, and nothing else', () => {
    const html = page(SAMPLE_PLAN);
    const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
    expect(policy?.replaceAll('&#39;', "'")).toMatch(
      /^default-src 'none'; img-src data:; style-src 'sha256-[\w+/=]+'; script-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'$/,
    );
  });

  it('refers to nothing outside of itself', () => {
    const html = page(SAMPLE_PLAN).replace(/<script type="application\/json"[\s\S]*?<\/script>/, '');
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(html).not.toMatch(/url\(|@import/);
  });

  it('is the same for the same plan', () => {
    expect(page(SAMPLE_PLAN)).toBe(page(SAMPLE_PLAN));
  });
});
