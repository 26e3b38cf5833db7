// Transforms for streams, shaped like TextDecoderStream: an object with `readable` and `writable`, and the properties of what
// is behind it.

/** A transform with the properties of `settings`. `step` makes a chunk of a chunk, `end` the last one; empty ones are left out. */
export function through(settings, step, end) {
  const put = (chunk, controller) => {
    if (chunk.length > 0) controller.enqueue(chunk);
  };
  const { readable, writable } = new TransformStream({
    transform: (chunk, controller) => put(step(chunk), controller),
    flush: (controller) => put(end(), controller),
  });
  return { ...settings, readable, writable };
}
