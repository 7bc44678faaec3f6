/** The advert market: deals between advertisers and channels. */
@NullMarked
package io.postroad.example.market;

import org.jspecify.annotations.NullMarked;
