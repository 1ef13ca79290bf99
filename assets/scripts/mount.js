// How Streamlit and a part of a page meet. It calls the function made here at each run of the page;
// the same element keeps the same part. A part has update(data) and destroy(), and finds in
// `this.page` the functions setStateValue and setTriggerValue, by which it answers.
export function mount(selector, Part) {
  const parts = new WeakMap();
  return ({ data, parentElement, setStateValue, setTriggerValue }) => {
    const root = parentElement.querySelector(selector);
    if (!parts.has(root)) parts.set(root, new Part(root));
    const part = parts.get(root);
    part.page = { setStateValue, setTriggerValue };
    part.update(data);
    return () => part.destroy();
  };
}
