// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// The debt token. Who owns it says which contracts of the protocol may mint, burn and move it.
contract Yu is ERC20, ERC20Permit, Ownable {
    mapping(address => bool) public isProtocol;

    constructor() ERC20("YU", "YU") ERC20Permit("YU") Ownable(msg.sender) {}

    modifier onlyProtocol() {
        require(isProtocol[msg.sender], "YU: not of the protocol");
        _;
    }

    function setProtocol(address account, bool allowed) external onlyOwner {
        isProtocol[account] = allowed;
    }

    function mint(address to, uint256 amount) external onlyProtocol {
        _mint(to, amount);
    }

    function burn(address from, uint256 amount) external onlyProtocol {
        _burn(from, amount);
    }

    /// Into a pool and out of it again: what people may not do by themselves.
    function sendToPool(address from, uint256 amount) external onlyProtocol {
        _transfer(from, msg.sender, amount);
    }

    function returnFromPool(address to, uint256 amount) external onlyProtocol {
        _transfer(msg.sender, to, amount);
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        require(_mayReceive(to), "YU: cannot be sent there");
        return super.transfer(to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        require(_mayReceive(to), "YU: cannot be sent there");
        return super.transferFrom(from, to, amount);
    }

    function _mayReceive(address to) private view returns (bool) {
        return to != address(this) && !isProtocol[to];
    }
}
