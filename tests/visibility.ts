/** jsdom has no layout and no `checkVisibility`, so everything counts as visible. */
if (typeof Element !== 'undefined') Element.prototype.checkVisibility ??= () => true
