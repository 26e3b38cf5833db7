// Tasks for the worker, one at a time for each purpose: a new one ends the one before.

const running = new Map();

/** Ends what runs for a purpose. */
export function stop(purpose) {
  running.get(purpose)?.terminate();
  running.delete(purpose);
}

/** Runs a task; never settles if another takes its place. */
export function run(purpose, task, details, progress = () => {}) {
  stop(purpose);
  const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  running.set(purpose, worker);
  return new Promise((resolve, reject) => {
    const end = (settle) => {
      stop(purpose);
      settle();
    };
    worker.onmessage = ({ data }) => {
      if (data.progress !== undefined) progress(data.progress);
      else if (data.error !== undefined) end(() => reject(new Error(data.error)));
      else end(() => resolve(data.result));
    };
    worker.onerror = (event) => end(() => reject(new Error(event.message || "the worker could not be started")));
    worker.postMessage({ task, ...details });
  });
}
