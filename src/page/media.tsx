import type { FC } from 'hono/jsx';
import type { PlannedAttachment } from '../domain/plan-facts.ts';
import { visible } from '../domain/visible.ts';
import { byteWords } from '../render/byte-words.ts';
import { Filled } from './filled.tsx';
import type { Model } from './model.ts';
import { Text } from './text.tsx';

/** One picture or video of a message. Service media have their id. */
export const Media: FC<{
  readonly attachment: PlannedAttachment;
  readonly account: string;
  readonly model: Model;
}> = ({ attachment: { type, is_paid: isPaid, id, file, size }, account, model }) => {
  const picture = file === undefined ? undefined : model.pictures.get(file);
  const name = type === 'image' ? 'Photo' : type.charAt(0).toUpperCase() + type.slice(1);
  const what =
    file === undefined ? <Filled text={id ?? ''} account={account} model={model} /> : <Text text={file} />;
  if (picture !== undefined && isPaid !== true)
    return <img src={picture} alt={visible(`${name}, ${file ?? ''}`)} loading="lazy" decoding="async" />;
  return (
    <div class={isPaid === true ? 'lock' : 'free'}>
      {isPaid === true ? <Padlock size={18} /> : null}
      <span>
        <Text text={name} /> {what}
      </span>
      <span>
        {isPaid === true ? 'locked' : 'free'}
        {size === undefined ? null : `, ${byteWords(size)}`}
      </span>
    </div>
  );
};

export const Padlock: FC<{ readonly size: number }> = ({ size }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 18 18"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    aria-hidden="true"
  >
    <rect x="3.5" y="8" width="11" height="7" rx="1.5" />
    <path d="M6 8V5.5a3 3 0 0 1 6 0V8" />
  </svg>
);
