// A page that was opened as a file may not start a worker, so the search would be lost: here the worker's script runs in a
// frame that nobody sees. Pages that come from a server keep the browser's own workers.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.onmessage = this.onerror = null;
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.documentElement.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => this.say("message", { data });
      const script = inside.document.createElement("script");
      script.src = address;
      this.ready = new Promise((done) => script.addEventListener("load", done));
      script.addEventListener("error", () => this.say("error", {}));
      inside.document.head.append(script);
    }
    say(name, content) {
      setTimeout(() => {
        const event = new MessageEvent(name, content);
        this[`on${name}`]?.(event);
        this.dispatchEvent(event);
      });
    }
    postMessage(data) {
      this.ready.then(() => this.frame.contentWindow?.dispatchEvent(new MessageEvent("message", { data })));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
