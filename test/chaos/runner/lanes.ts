/**
 * Works on all items, one in each lane at a time, and gives the results in the order of the items, whichever of them
 * are done first.
 */
export async function* inLanes<Item, Lane, Result>(
  items: readonly Item[],
  lanes: readonly Lane[],
  work: (item: Item, lane: Lane) => Promise<Result>,
): AsyncGenerator<Result> {
  const slots = items.map(() => slotOf<Result>());
  const shared = items.entries();
  let isOver = false;
  const working = lanes.map(async (lane) => {
    for (const [place, item] of shared) {
      await work(item, lane).then(slots[place]?.fill, slots[place]?.fail);
      if (isOver) return;
    }
  });
  try {
    for (const { filled } of slots) yield await filled;
  } finally {
    // Also where the caller does not want the rest.
    isOver = true;
    await Promise.all(working);
  }
}

interface Slot<Value> {
  readonly filled: Promise<Value>;
  readonly fill: (value: Value) => void;
  readonly fail: (error: unknown) => void;
}

function slotOf<Value>(): Slot<Value> {
  let fill: Slot<Value>['fill'] = () => undefined;
  let fail: Slot<Value>['fail'] = () => undefined;
  const filled = new Promise<Value>((resolve, reject) => {
    fill = resolve;
    fail = reject;
  });
  // An error is told when its turn comes.
  filled.catch(() => undefined);
  return { filled, fill, fail };
}
