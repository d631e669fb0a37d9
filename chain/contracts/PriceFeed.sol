// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// A price somebody sets, in 36 - (collateral's decimals) digits: with it collateral * price / debt is 1e18-based.
contract PriceFeed is Ownable {
    uint256 public price;

    event PriceChanged(uint256 price);

    constructor(uint256 _price) Ownable(msg.sender) {
        price = _price;
    }

    function setPrice(uint256 _price) external onlyOwner {
        require(_price > 0, "PriceFeed: no price");
        price = _price;
        emit PriceChanged(_price);
    }

    function fetchPrice() external view returns (uint256) {
        return price;
    }
}
