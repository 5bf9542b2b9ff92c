import type { FC, PropsWithChildren } from 'hono/jsx';
import type { PlannedContent, Step } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { formatBytes, formatPrice, formatTimesIn } from '../render/values.ts';
import { audienceOf } from './audience.ts';
import type { Card, Model } from './model.ts';
import { Command, listed, Text, Time } from './text.tsx';
import { stepWords } from './words.ts';

/** Up to this many accounts are named without a click. */
const ACCOUNTS_SHOWN = 8;

/** What a resource declares next to its messages. */
export const ContentFacts: FC<{ readonly content: PlannedContent; readonly zone: string }> = ({
  content,
  zone,
}) => {
  const { trigger, scheduled_at: at, audience_filters: filters, messages, rules = {} } = content;
  const end = rules['end_at'];
  const paid = messages.flatMap(({ price_gross: price = 0 }, index) =>
    price > 0 ? [`message ${index + 1} costs ${formatPrice(price)}`] : [],
  );
  return (
    <dl class="fields">
      {at === undefined ? null : (
        <Row label="Goes out">
          <Time at={at} zone={zone} />
        </Row>
      )}
      {trigger === undefined ? null : (
        <Row label="Trigger">
          <Text text={trigger} />
          {content.action === 'start_mimic' ? ', starts an automated chat' : ''}
        </Row>
      )}
      <dt>Audience</dt>
      <dd>
        <Text text={audienceOf(filters)} />
      </dd>
      {messages.length === 0 ? null : (
        <Row label="Messages">
          {messages.length}
          {paid.length === 0 ? '' : `, of which ${listed(paid)}`}
        </Row>
      )}
      {typeof end === 'string' ? (
        <Row label="Ends">
          <Time at={end} zone={zone} />
        </Row>
      ) : null}
    </dl>
  );
};

/** How to undo or allow it, where it is declared, on which accounts, and its steps. */
export const CardFooter: FC<{
  readonly card: Card;
  readonly model: Model;
  readonly content: PlannedContent | null;
}> = ({ card, model, content }) => {
  const { shared, accounts, changes } = card;
  const ids = changes.flatMap(({ live_id: id }) => (id === null ? [] : [id]));
  const isPlan = model.title === 'plan';
  const [only] = ids;
  return (
    <dl class="foot fields">
      {isPlan && shared.action === 'blocked' && shared.needs.length > 0 ? (
        <Row label="To allow it">
          <Command line={formatCommand('apply', ...shared.needs.flatMap((name) => ['--allow', name]))} />
        </Row>
      ) : null}
      {isPlan && shared.undo !== '' && !card.isIrreversible ? (
        <Row label="Undo">
          <Text text={formatTimesIn(shared.undo, card.zone)} />
        </Row>
      ) : null}
      {shared.last_applied === undefined || changes.length > 1 ? null : (
        <Row label="Last applied">
          <Text text={formatTimesIn(shared.last_applied.at, card.zone)} />
          {shared.last_applied.who === null ? '' : ' by '}
          <Text text={shared.last_applied.who ?? ''} />
        </Row>
      )}
      {content === null ? null : (
        <Row label="Declared in">
          <code>
            <Text text={`${content.file}:${content.line}`} />
          </code>
        </Row>
      )}
      {ids.length === 1 && only !== undefined ? (
        <Row label="Live id">
          <code>
            <Text text={only} />
          </code>
        </Row>
      ) : null}
      <Row label="Accounts">
        <Accounts accounts={accounts} />
      </Row>
      {isPlan && shared.steps.length > 0 ? (
        <Row label="Steps">
          <Steps steps={shared.steps} />
        </Row>
      ) : null}
    </dl>
  );
};

const Row: FC<PropsWithChildren<{ readonly label: string }>> = ({ label, children }) => (
  <>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </>
);

const Steps: FC<{ readonly steps: readonly Step[] }> = ({ steps }) => (
  <details>
    <summary>{steps.length} in this order</summary>
    <ol class="steps">
      {steps.map((step) => (
        <li>
          <span>
            <Text text={stepWords(step)} />
            {step.kind === 'upload' ? (
              <>
                {' '}
                <code>
                  <Text text={step.file} />
                </code>
                , {formatBytes(step.size)}, about {step.about_sec} s
              </>
            ) : null}
          </span>
        </li>
      ))}
    </ol>
  </details>
);

const Accounts: FC<{ readonly accounts: readonly string[] }> = ({ accounts }) =>
  accounts.length <= ACCOUNTS_SHOWN ? (
    <Text text={accounts.join(', ')} />
  ) : (
    <details>
      <summary>{accounts.length} accounts</summary>
      <p>
        <Text text={accounts.join(', ')} />
      </p>
    </details>
  );
