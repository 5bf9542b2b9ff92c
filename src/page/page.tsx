/// <reference path="./assets.d.ts" />
import { createHash } from 'node:crypto';
import type { FC } from 'hono/jsx';
import type { Plan, Change } from '../domain/change.ts';
import { compactJson } from '../render/json.ts';
import { Calendar } from './calendar.tsx';
import { Changes } from './changes.tsx';
import { Head } from './head.tsx';
import { Model, type Card, type Pictures } from './model.ts';
import script from './browser/main.ts?page';
import sheet from './page.css?page';
import { Mark, Text, listed } from './text.tsx';
import { formatCommand } from '../domain/command-line.ts';
import { StoredPictures } from './preview.tsx';
import { CHANGE_KINDS } from '../domain/change-kinds.ts';
import { groupBy } from '../domain/group-by.ts';
import type { PageTitle } from './read-back.ts';
import { visible } from '../domain/visible.ts';

export interface PageOptions {
  /** What the document is: what apply would do, what differs, or what the files declare. */
  readonly title?: PageTitle;
  /** Pictures of the workspace as data URLs, or why one is not shown, by path. */
  readonly pictures?: Pictures;
}

/** A plan as one HTML file that refers to no other. `readBack` reads its JSON. JSX escapes all text. */
export function renderPlanPage(
  plan: Plan,
  { title = 'plan', pictures = new Map() }: PageOptions = {},
): string {
  const model = new Model(plan, title, pictures);
  return `<!doctype html>\n${(<Page model={model} />).toString()}\n`;
}

/** Index lines; the cards themselves have all. */
const INDEX_MAX = 200;

const Page: FC<{ readonly model: Model }> = ({ model }) => {
  const { plan, title } = model;
  const place = plan.workspace === undefined ? '' : ` · ${plan.workspace}`;
  // Inside of a script element, only `<` could end it or begin a comment.
  const json = compactJson(plan).replaceAll('<', String.raw`\u003c`);
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={formatPolicy()} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <meta name="generator" content="herald" />
        <title>
          <Text text={`${model.formatHeadline()}${place} · Herald ${title}`} />
        </title>
        <style dangerouslySetInnerHTML={{ __html: sheet }} />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the {title}
        </a>
        <div class="page">
          <Side model={model} />
          <main id="main" tabindex={-1}>
            <Head model={model} />
            <Changes model={model} />
            <Calendar model={model} />
            <Accounts model={model} />
            <footer>
              <Facts model={model} />
              <p>
                This file holds its plan (<code>{plan.schema}</code>). Read it back:{' '}
                <code>{formatCommand('plan', 'show', 'FILE')}</code>
              </p>
            </footer>
          </main>
        </div>
        <StoredPictures model={model} />
        <script
          type="application/json"
          id="plan"
          data-title={title}
          dangerouslySetInnerHTML={{ __html: json }}
        />
        <script dangerouslySetInnerHTML={{ __html: script }} />
      </body>
    </html>
  );
};

/** Where the plan comes from: the first lines of the footer. */
const Facts: FC<{ readonly model: Model }> = ({ model: { plan, title, summary } }) => {
  const { commit, who, allowed = [] } = plan;
  const eta = summary.eta.replace(/^Takes at least (.*) \(.*$/, 'At least $1');
  const facts: readonly (readonly [label: string, text: string])[] = [
    ['Commit', commit?.subject ?? ''],
    ['Author', commit?.author ?? ''],
    ['By', who ?? ''],
    ['Allowed', allowed.map(({ name, from }) => `${name} by ${from}`).join(', ')],
    ['Apply takes', title === 'plan' ? eta : ''],
  ];
  return (
    <dl class="facts">
      {facts.map(([label, text]) =>
        text === '' ? null : (
          <div>
            <dt>{label}</dt>
            <dd>
              <Text text={text} />
            </dd>
          </div>
        ),
      )}
    </dl>
  );
};

const Side: FC<{ readonly model: Model }> = ({ model: { plan, title, cards } }) => (
  <nav class="side" aria-label="On this page">
    <div>
      <p class="brand">Herald {title}</p>
      <ul class="sections">
        <li>
          <a href="#overview">Overview</a>
        </li>
        <li>
          <a href="#changes">{title === 'preview' ? 'Resources' : 'Changes'}</a>
        </li>
        <li>
          <a href="#calendar">Calendar</a>
        </li>
        <li>
          <a href="#accounts">Accounts</a>
        </li>
      </ul>
      {plan.changes.length === 0 ? null : (
        <div class="index">
          <h2>{title === 'preview' ? 'Resources' : 'Changes'}</h2>
          <ol>
            {cards.slice(0, INDEX_MAX).map((card) => (
              <IndexLine card={card} />
            ))}
          </ol>
        </div>
      )}
    </div>
  </nav>
);

const IndexLine: FC<{ readonly card: Card }> = ({ card: { id, shared, names, accounts } }) => (
  <li>
    <a href={`#${id}`}>
      <Mark action={shared.action} />
      <span>
        <Text text={listed(names, 2)} />
      </span>
      <span class="n">{accounts.length}</span>
    </a>
  </li>
);

/** Nothing runs and nothing is loaded but what the hashes name. */
function formatPolicy(): string {
  return [
    "default-src 'none'",
    'img-src data:',
    `style-src '${hashText(sheet)}'`,
    `script-src '${hashText(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function hashText(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Names of missing resources that a row shows. */
const MISSING_NAMED = 3;

/** Each account, with the number of its resources by action, and the names of those that only other accounts have. */
const Accounts: FC<{ readonly model: Model }> = ({ model }) => {
  const { accounts, plan } = model;
  const kinds = CHANGE_KINDS.filter((kind) => plan.changes.some(({ action }) => action === kind));
  const changes = groupBy(plan.changes, ({ address }) => address.account);
  const declared = plan.changes.filter(({ action }) => action !== 'unmanaged' && action !== 'retire');
  const everywhere = new Map(declared.map((change) => [nameResource(change), change]));
  const findMissing = (own: readonly Change[]) => {
    const has = new Set(own.map(nameResource));
    return [...everywhere].flatMap(([key, { address }]) => (has.has(key) ? [] : [address.name]));
  };
  const rows = accounts.map((alias) => {
    const own = changes.get(alias) ?? [];
    return { alias, own: groupBy(own, ({ action }) => action), missing: findMissing(own) };
  });
  const hasGaps = rows.some(({ missing }) => missing.length > 0);
  return (
    <section id="accounts" aria-labelledby="h-accounts">
      <h2 id="h-accounts">Accounts</h2>
      {accounts.length === 0 ? <p class="mute">No accounts in this workspace.</p> : null}
      {kinds.length === 0 || accounts.length === 0 ? null : (
        <div class="scroll" tabindex={0} role="region" aria-label="Table of accounts">
          <table>
            <thead>
              <tr>
                <th scope="col">Account</th>
                {kinds.map((kind) => (
                  <th scope="col" class="num">
                    {model.nameChange(kind, 'counted')}
                  </th>
                ))}
                {hasGaps ? <th scope="col">On other accounts only</th> : null}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ alias, own, missing }) => (
                <tr>
                  <th scope="row">
                    <a href={`#${new URLSearchParams({ account: visible(alias) }).toString()}`}>
                      <Text text={alias} />
                    </a>
                  </th>
                  {kinds.map((kind) => (
                    <td class="num">{own.get(kind)?.length ?? 0}</td>
                  ))}
                  {hasGaps ? (
                    <td>
                      <Text text={listed(missing, MISSING_NAMED)} />
                    </td>
                  ) : null}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
};

function nameResource({ address }: Change): string {
  return `${address.kind}\n${address.name}`;
}
