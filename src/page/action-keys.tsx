import type { FC } from 'hono/jsx';
import { CHANGE_KINDS } from '../domain/change-kinds.ts';
import type { ChangeKind } from '../domain/change.ts';
import type { Model } from './model.ts';
import { Mark } from './text.tsx';
import { ACTIONS, actionWord, sentence } from './words.ts';

/** What the marks of these actions mean, each once: the first items of a key. */
export const ActionKeys: FC<{ readonly actions: readonly ChangeKind[]; readonly title: Model['title'] }> = ({
  actions,
  title,
}) => (
  <>
    {CHANGE_KINDS.filter((kind) => actions.includes(kind)).map((kind) => (
      <li>
        <Mark class={kind} glyph={ACTIONS[kind].glyph} />
        {sentence(actionWord(title, kind))}
      </li>
    ))}
  </>
);
