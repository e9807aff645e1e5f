// Browsers start no worker from disk. There the search runs in a hidden frame instead, which stands in for it.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    #frame = document.createElement("iframe");
    #ready;

    constructor(script) {
      super();
      this.#frame.hidden = true;
      document.body.append(this.#frame);
      const inside = this.#frame.contentWindow;
      inside.importScripts = async (...urls) => {
        for (const url of urls) await this.#load(url);
      };
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.#ready = this.#load(script);
    }

    #load(url) {
      return new Promise((resolve, reject) => {
        const script = this.#frame.contentDocument.createElement("script");
        Object.assign(script, { src: new URL(url, document.baseURI).href, onload: resolve, onerror: reject });
        this.#frame.contentDocument.head.append(script);
      });
    }

    async postMessage(data) {
      await this.#ready;
      const inside = this.#frame.contentWindow;
      inside.dispatchEvent(new inside.MessageEvent("message", { data }));
    }

    terminate() {
      this.#frame.remove();
    }
  };
}
