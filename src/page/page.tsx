/// <reference path="./assets.d.ts" />
import { createHash } from 'node:crypto';
import type { FC } from 'hono/jsx';
import type { Plan } from '../domain/change.ts';
import { compactJson } from '../render/json.ts';
import { Accounts } from './accounts.tsx';
import { Calendar } from './calendar.tsx';
import { Changes } from './changes.tsx';
import { Facts, Head, headline } from './head.tsx';
import { makeModel, type Card, type Model, type Pictures } from './model.ts';
import script from './browser/main.ts?page';
import sheet from './page.css?page';
import { Mark, Text } from './text.tsx';
import type { PageTitle } from './words.ts';
import { formatCommand } from '../domain/command-line.ts';
import { StoredPictures } from './preview.tsx';

export interface PageOptions {
  /** What the document is: what apply would do, what differs, or what the files declare. */
  readonly title?: PageTitle;
  /** Pictures of the workspace as data URLs, or why one is not shown, by path. */
  readonly pictures?: Pictures;
}

/**
 * A plan as one HTML file, without any reference to another one. It holds its plan as JSON, which `readBack` reads
 * back. Text from outside is escaped by JSX.
 */
export function renderPlanPage(
  plan: Plan,
  { title = 'plan', pictures = new Map() }: PageOptions = {},
): string {
  const model = makeModel(plan, title, pictures);
  return `<!doctype html>\n${(<Page model={model} />).toString()}\n`;
}

/** Index lines; the cards themselves have all. */
const INDEX_MAX = 200;

const Page: FC<{ readonly model: Model }> = ({ model }) => {
  const { plan, title } = model;
  const place = plan.workspace === undefined ? '' : ` · ${plan.workspace}`;
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
          <Text text={`${headline(model)}${place} · Herald ${title}`} />
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
          dangerouslySetInnerHTML={{ __html: jsonInHtml(plan) }}
        />
        <script dangerouslySetInnerHTML={{ __html: script }} />
      </body>
    </html>
  );
};

const Side: FC<{ readonly model: Model }> = ({ model: { plan, title, cards, unmanaged } }) => (
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
            {unmanaged.length === 0 ? null : (
              <li>
                <a href="#unmanaged">
                  <Mark action="unmanaged" />
                  <span>Unmanaged</span>
                  <span class="n">{unmanaged.length}</span>
                </a>
              </li>
            )}
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
        <Text
          text={names.length === 1 ? (names[0] ?? '') : `${names[0] ?? ''} and ${names.length - 1} more`}
        />
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

/** Inside of a script element, only `<` could end it or begin a comment. */
function jsonInHtml(plan: Plan): string {
  return compactJson(plan).replaceAll('<', String.raw`\u003c`);
}
