/** jsdom draws nothing, and so has no answer to what is seen: everything is. */
if (typeof Element !== 'undefined') Element.prototype.checkVisibility ??= () => true
